"""The shipped seccomp profiles are OCI JSON that other runtimes take, too, and mean the same there."""
import glob
import json
import os
import shutil

from harness import breakout, host
from harness.case import Skip, each, equal, expect, slow

SHIPPED = sorted(os.path.basename(f)[:-5] for f in glob.glob(breakout.PROFILES + "/*.json"))


def hide_unified_cgroups():
    host.private_mounts()
    host.v1_view()


def run_by(it, runtime, made):
    """A container of `runtime` ("" is the one under test), started by hand when it is another."""
    if not runtime:
        return it.run(made)
    path = shutil.which(runtime)
    if path is None:
        raise Skip(f"no {runtime} here")
    made.write()
    view = hide_unified_cgroups if runtime == "crun" and host.cgroup_mode() == "hybrid" else None
    words = [path, "--root", f"{it.folder}/{runtime}", "run", "--bundle", made.path, it.id()]
    return it.rt(argv=words, preexec_fn=view)


def with_profile(it, made, name):
    made.process["noNewPrivileges"] = True
    with open(f"{breakout.PROFILES}/{name}.json", encoding="utf-8") as handle:
        made.linux["seccomp"] = json.load(handle)
    return made


@slow(120)
@each(ours="", runc="runc", crun="crun")
def test_each_is_loaded(it, runtime):
    names = [n for n in SHIPPED if n != "pause"]  # under that one no busybox gets far
    expect(len(names) >= 9, SHIPPED)
    made = it.bundle(shell="grep -c '^Seccomp:.2' /proc/self/status; echo x > /tmp/file")
    for name in names:
        equal(run_by(it, runtime, with_profile(it, made, name)).ok().out, "1\n", name)


@each(ours="", runc="runc", crun="crun")
def test_the_default_profile_refuses_the_same(it, runtime):
    """As root, with the techniques that only a profile stops."""
    made = with_profile(it, breakout.prepare(it, "bare", 0, it.bundle()), "default")
    rows = breakout.rows_of(run_by(it, runtime, made.args("attack")))
    through = {name for name, answer in rows.items() if answer == "SUCCEEDED"}
    equal(sorted(through & breakout.NO_PROFILE), [], "techniques that a profile closes")
    expect({"tiocsti", "af_alg", "netlink_audit"} <= set(rows), "techniques are missing")
