package dev.clockwire.bench.fabric;

import dev.clockwire.nic.profile.Profile;
import dev.clockwire.sim.fault.FaultPlan;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a fabric's file says of hosts with whole devices only.
 *
 * @param nics parameters of single hosts' NICs by path, by the host's name
 * @param faults what goes wrong with hosts and their cables
 */
record DeviceTerms(Map<String, Map<String, String>> nics, FaultPlan faults) {
    static final DeviceTerms USUAL = new DeviceTerms(Map.of(), FaultPlan.NONE);

    DeviceTerms {
        nics = Collections.unmodifiableMap(new TreeMap<>(nics));
    }

    Profile of(Profile all, String host) {
        Profile p = all;
        for (Map.Entry<String, String> e : nics.getOrDefault(host, Map.of()).entrySet()) {
            p = p.with(e.getKey(), e.getValue());
        }
        return p;
    }
}
