package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.roce.soft.SoftSpec;

/** What {@link RoughEdgesTest} says of the hardware is true of the software device. */
class SoftRoughEdgesTest extends RoughEdgesTest {
    @Override
    LabSpec spec() {
        return super.spec().withSoft(SoftSpec.usual());
    }
}
