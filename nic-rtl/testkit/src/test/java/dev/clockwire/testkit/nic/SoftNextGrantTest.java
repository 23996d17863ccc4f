package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.roce.soft.SoftSpec;

/** What {@link NextGrantTest} says of the hardware is true of the software device. */
class SoftNextGrantTest extends NextGrantTest {
    @Override
    LabSpec spec() {
        return super.spec().withSoft(SoftSpec.usual());
    }
}
