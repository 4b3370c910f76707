"""What is handed over file descriptors: consoles, pidfds, inherited descriptors, LISTEN_FDS, NOTIFY_SOCKET."""
import array
import fcntl
import os
import select
import socket
import termios

from harness.case import contains, each, equal, expect, only


def console(it, made, **more):
    """Creates and starts with a console socket; the master's descriptor."""
    path = f"{it.folder}/console"
    made.process["terminal"] = True
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        server.settimeout(10 * it.settings.slow)
        it.create(made, "--console-socket", path, **more).ok()
        connection, _ = server.accept()
        with connection:
            name, fds, _, _ = socket.recv_fds(connection, 200, 2)
    equal(len(fds), 1, "descriptors")
    it.rt("start", it.id()).ok()
    return fds[0], name.decode()


def read_until(fd, word, seconds=10):
    text = b""
    while word.encode() not in text:
        ready, _, _ = select.select([fd], [], [], seconds)
        expect(ready, f"no {word!r} from the terminal, only {text!r}")
        try:
            text += os.read(fd, 4096)
        except OSError:
            break
    return text.decode()


def test_console(it):
    made = it.bundle(shell="tty; test -t 0 && test -t 1 && test -t 2 && echo all; ls -l /dev/console; read x; echo got $x")
    fd, _ = console(it, made)
    text = read_until(fd, "console\r\n")
    contains(text, "all\r\n")
    os.write(fd, b"word\n")
    contains(read_until(fd, "got word"), "got word")
    os.close(fd)


def test_console_size(it):
    made = it.bundle(shell="stty size; sleep 0.2")
    made.process["consoleSize"] = {"height": 11, "width": 22}
    fd, _ = console(it, made)
    contains(read_until(fd, "22"), "11 22")
    rows = array.array("H", [0] * 4)
    fcntl.ioctl(fd, termios.TIOCGWINSZ, rows)
    os.close(fd)


def test_console_is_controlling_terminal(it):
    fd, _ = console(it, it.bundle(shell="trap 'echo interrupted; exit' INT; echo ready; while :; do sleep 0.05; done"))
    read_until(fd, "ready")
    os.write(fd, b"\x03")
    contains(read_until(fd, "interrupted"), "interrupted")
    os.close(fd)


def test_console_owner(it):
    made = it.bundle(shell="stat -c 'owner %u' $(tty); echo fin")
    made.process["user"] = {"uid": 1000, "gid": 1000}
    fd, _ = console(it, made)
    contains(read_until(fd, "fin"), "owner 1000")
    os.close(fd)


def test_terminal_without_socket_refused(it):
    made = it.bundle("true")
    made.process["terminal"] = True
    it.create(made).fails("console")


def test_socket_without_terminal_refused(it):
    it.create(it.bundle("true"), "--console-socket", "/nowhere").fails("console")


def test_run_with_own_terminal(it):
    made = it.bundle(shell="tty; stty size")
    made.process["terminal"] = True
    made.write()
    command = " ".join(it.rt.argv("run", "--bundle", made.path, it.id()))
    contains(it.rt(argv=["script", "-qec", command, "/dev/null"]).ok().out, "/dev/pts/")


def test_line_ends_of_a_terminal_that_is_a_pipe_outside(it):
    made = it.bundle(shell="echo one; echo two")
    made.process["terminal"] = True
    equal(it.run(made).ok().out, "one\ntwo\n")


@only("langsbx")
def test_pidfd_socket(it):
    path = f"{it.folder}/pidfd"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        server.settimeout(10)
        it.create(it.bundle("true"), "--pidfd-socket", path).ok()
        connection, _ = server.accept()
        with connection:
            payload, fds, _, _ = socket.recv_fds(connection, 200, 2)
    equal((payload.rstrip(b"\0"), len(fds)), (b"standard", 1))
    with open(f"/proc/self/fdinfo/{fds[0]}", encoding="ascii") as handle:
        contains(handle.read(), f"Pid:\t{it.rt.state(it.id())['pid']}\n")
    os.close(fds[0])


def give(fd, text):
    """A readable descriptor with this number."""
    reader, writer = os.pipe()
    os.write(writer, text)
    os.close(writer)
    os.dup2(reader, fd)
    os.set_inheritable(fd, True)


def test_preserve_fds(it):
    give(3, b"three\n")
    give(4, b"four\n")
    made = it.bundle(shell="cat <&3; cat <&4; ls /proc/self/fd | wc -l")
    out = it.run(made, "--preserve-fds", "2", pass_fds=(3, 4)).ok().out
    contains(out, "three\nfour\n")


def test_other_fds_are_closed(it):
    give(3, b"x")
    give(9, b"y")
    out = it.run(it.bundle("ls", "-1", "/proc/self/fd"), pass_fds=(3, 9)).ok().out.split()
    # The last one is ls's own.
    equal(out, ["0", "1", "2", "3"])
    out = it.run(it.bundle(shell="readlink /proc/self/fd/3 || echo none"), pass_fds=(3, 9), suffix="d").out
    contains(out, "none")


def test_listen_fds(it):
    give(3, b"listen\n")
    made = it.bundle(shell="env | grep LISTEN; cat <&3")
    made.write()
    # LISTEN_PID names the runtime itself, as conmon and systemd set it.
    call = "LISTEN_PID=$$ exec " + " ".join(it.rt.argv("run", "--bundle", made.path, it.id()))
    out = it.rt(argv=["sh", "-c", call], env={**os.environ, "LISTEN_FDS": "1"}, pass_fds=(3,)).ok().out
    contains(out, "LISTEN_FDS=1")
    contains(out, "LISTEN_PID=1")
    contains(out, "listen\n")


@each(foreign="1", missing=None)
def test_listen_fds_of_another_process(it, pid):
    give(3, b"listen\n")
    env = {**os.environ, "LISTEN_FDS": "1", "LISTEN_PID": pid or ""}
    if pid is None:
        del env["LISTEN_PID"]
    out = it.run(it.bundle(shell="env | grep LISTEN; readlink /proc/self/fd/3 || echo none"), env=env, pass_fds=(3,)).out
    contains(out, "none")
    expect("LISTEN" not in out, out)


def test_a_listener_path_that_nothing_notifies(it):
    """Nobody listens there and no rule notifies: each of many runs succeeds."""
    made = it.bundle("true")
    made.linux["seccomp"] = {"defaultAction": "SCMP_ACT_ALLOW", "listenerPath": f"{it.folder}/nobody",
                             "syscalls": [{"names": ["kexec_load"], "action": "SCMP_ACT_ERRNO"}]}
    for number in range(30):
        it.run(made, suffix=f"n{number}").ok()


def test_notify_socket(it):
    path = f"{it.folder}/notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as server:
        server.bind(path)
        server.settimeout(10 * it.settings.slow)
        it.add_probe(made := it.bundle("notify"), "notify")
        env = {**os.environ, "NOTIFY_SOCKET": path}
        it.create(made, env=env).ok()
        call = it.spawn("start", it.id(), env=env)
        text = server.recv(1000)
        while b"MAINPID" not in text:
            text += b"\n" + server.recv(1000)
        contains(text.decode(), "READY=1")
        contains(text.decode(), f"MAINPID={it.rt.state(it.id())['pid']}")
        call.wait(10)


def test_notify_directory_is_not_written(it):
    """It is the host's memory, and what lies in it is the runtime's to remove."""
    env = {**os.environ, "NOTIFY_SOCKET": f"{it.folder}/nobody"}
    made = it.bundle(shell="cd /run/notify && ls; mkdir d; > file; rm -f notify.sock; ls; sleep 0.2")
    made.config["root"]["readonly"] = False
    result = it.run(made, env=env)
    equal(result.out.split(), ["notify.sock", "notify.sock"], result.text)
