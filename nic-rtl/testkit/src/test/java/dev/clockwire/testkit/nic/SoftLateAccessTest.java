package dev.clockwire.testkit.nic;

import dev.clockwire.nic.lab.LabSpec;
import dev.clockwire.roce.soft.SoftSpec;

/** What {@link LateAccessTest} says of the hardware is true of the software device. */
class SoftLateAccessTest extends LateAccessTest {
    @Override
    LabSpec spec() {
        return super.spec().withSoft(SoftSpec.usual());
    }
}
