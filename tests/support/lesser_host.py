#!/usr/bin/env python3
"""Runs a command as on a host that offers less: the kernel answers the named system calls with an error.

    tests/support/lesser_host.py CALL[/FIRST[/SECOND]]=ERROR… -- COMMAND…
    tests/support/lesser_host.py unshare=EPERM landlock_create_ruleset=ENOSYS -- airlock doctor

ERROR is a name of errno, or SUCCESS: the call does nothing and says that it did. FIRST and SECOND are numbers that the call's arguments must have; '-' or nothing stands for any. What is denied stays denied for
all that the command starts. Exit code 125: this machine cannot pretend.
"""
import ctypes
import errno
import os
import platform
import struct
import sys

# Linux's numbers, by machine. From 424 on they are the same everywhere.
CALLS = {
    "x86_64": {"mount": 165, "pivot_root": 155, "prctl": 157, "capset": 126, "sethostname": 170, "unshare": 272, "umount2": 166,
               "prlimit64": 302, "seccomp": 317, "memfd_create": 319},
    "aarch64": {"mount": 40, "pivot_root": 41, "prctl": 167, "capset": 91, "sethostname": 161, "unshare": 97, "umount2": 39,
                "prlimit64": 261, "seccomp": 277, "memfd_create": 279},
}
EVERYWHERE = {"pidfd_open": 434, "close_range": 436, "landlock_create_ruleset": 444, "landlock_restrict_self": 446}
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERROR = 0x7FFF0000, 0x00050000
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER = 38, 22, 2


def instruction(code, value, if_true=0, if_false=0):
    return struct.pack("=HBBI", code, if_true, if_false, value)


def denial(call, arguments, error):
    """Goes on behind itself unless the call and its arguments are those that are meant."""
    tests = [(0, call)] + [(16 + 8 * i, value) for i, value in enumerate(arguments) if value is not None]
    lines = []
    for i, (offset, value) in enumerate(tests):
        left = 2 * (len(tests) - i - 1) + 1  # lines of this denial after this test
        lines += [instruction(LOAD, offset), instruction(JUMP_IF_EQUAL, value, 0, left)]
    return b"".join([*lines, instruction(RETURN, ERROR | error)])


def parse(word, machine):
    what, _, error = word.partition("=")
    name, *arguments = what.split("/")
    number = EVERYWHERE.get(name) or CALLS[machine][name]
    return denial(number, [None if one in ("", "-") else int(one, 0) for one in arguments],
                  0 if error == "SUCCESS" else getattr(errno, error))


def pretend(words):
    machine = platform.machine()
    if machine not in CALLS:
        sys.exit(125)
    program = instruction(LOAD, 4) + instruction(JUMP_IF_EQUAL, ARCHITECTURES[machine], 1, 0) + instruction(RETURN, ALLOW)
    program += b"".join(parse(word, machine) for word in words) + instruction(RETURN, ALLOW)
    lines = ctypes.create_string_buffer(program, len(program))
    prog = ctypes.create_string_buffer(struct.pack("@HP", len(program) // 8, ctypes.addressof(lines)))
    prctl = ctypes.CDLL(None).prctl
    prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
    if prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or prctl(PR_SET_SECCOMP, FILTER, ctypes.addressof(prog), 0, 0) != 0:
        sys.exit(125)


def main():
    words, command = sys.argv[1:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]
    pretend(words)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
