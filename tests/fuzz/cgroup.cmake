# Annotations that become properties of a unit.
langsbx_fuzzer(gvariant LIBRARIES langsbx_cgroup)
