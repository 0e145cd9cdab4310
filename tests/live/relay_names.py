"""relay_names.py -- what the relay does with names, and with name servers."""
import random
import socket
import struct
import time

from relay_dns import A, AAAA, NameServer, answer, ask, question, record
from relay_net import rule
from relay_world import (DNS, MINE, OTHER, PUBLIC, VESSEL, ZONE, World, case,
                         echo, if_v6, must, must_equal, must_refuse,
                         must_reset, one_name, read_all)


# --- names ---

@case
def an_allowed_name_is_reached_and_counted():
    ZONE["a.test"] = [PUBLIC]
    with one_name() as w:
        said = ask(VESSEL, "a.test")
        must_equal((said.code, said.addresses), (0, ["198.18.1.1"]))
        with w.connect("198.18.1.1", 80) as s:
            must_equal(s.getpeername(), ("198.18.1.1", 80))
            s.sendall(b"hello")
            s.shutdown(socket.SHUT_WR)
            must_equal(read_all(s), b"echo hello")
        r = w.final(kind="connection")
        must_equal((r.verdict, r.name, r.address, r.port, r.count,
                    r.bytes_out, r.bytes_in),
                   ("allowed", "a.test", PUBLIC, 80, 1, 5, 10))


@case
def other_names_do_not_leave_the_host():
    ZONE["b.test"] = [PUBLIC]
    with one_name() as w:
        for name in ("b.test", "xa.test", "a.test.b.test", "test", "b"):
            must_equal(ask(VESSEL, name).code, 3)
            must(name not in [n for n, _ in DNS.asked], name)
        must_equal(ask(VESSEL, "a.test", AAAA).count, 0)
        must_equal(ask(VESSEL, "A.Test").addresses, ["198.18.1.1"])
        names = {r.name: r.verdict for r in w.relay.end() if r.kind == "name"}
        must_equal(names, {n: "no_rule" for n in (
            "b.test", "xa.test", "a.test.b.test", "test", "b")})


@case
def whoever_is_asked_answers():
    ZONE["a.test"] = [PUBLIC]
    with one_name() as w:
        for server in ["8.8.8.8", "127.0.0.53"] + if_v6("2001:4860::8"):
            for over_tcp in (False, True) if ":" not in server else (False,):
                said = ask(VESSEL, "a.test", A, server, over_tcp)
                must_equal(said.addresses, ["198.18.1.1"])
        w.relay.end()


@case
def names_that_lead_to_special_addresses_are_refused():
    lists = {"private": ["10.1.2.3"], "metadata": ["169.254.169.254"],
             "loopback": ["127.0.0.1"], "own": [MINE], "listed": [OTHER],
             "mapped": ["::ffff:127.0.0.1"], "nat64": ["64:ff9b::7f00:1"],
             "sixtofour": ["2002:7f00:1::"], "all": ["10.1.2.3", "::1"],
             "zero": ["0.0.0.0"], "carrier": ["100.64.0.1"]}
    names = sorted(lists)
    rules = [rule(n + ".test", 80, host=i) for i, n in enumerate(names, 1)]
    for n in names:
        ZONE[n + ".test"] = lists[n]
    with World(rules, {80: list(range(1, len(names) + 1))},
               own=[OTHER]) as w:
        for i, n in enumerate(names, 1):
            # Whether an address is the host's own, the kernel says at the connection.
            must_equal(ask(VESSEL, n + ".test").code, 0 if n == "own" else 3)
            must_refuse(w, "198.18.1.%d" % i, 80)
        for r in w.relay.end():
            must(r.kind == "end" or r.verdict == "address_range", r)


@case
def a_good_address_among_bad_ones_is_taken():
    ZONE["a.test"] = ["10.0.0.1", "127.0.0.1", PUBLIC, "169.254.169.254"]
    with one_name() as w:
        must_equal(echo(w.connect("198.18.1.1", 80)), b"echo x")
        must_equal(w.final(kind="connection").address, PUBLIC)


@case
def a_name_that_is_rebound_is_refused_at_the_connection():
    def rebinding(asked, kind, times, _tcp):
        good = socket.inet_aton(PUBLIC if times == 0 else "127.0.0.1")
        return answer(asked, [record("a.test", A, good, 1)] * (kind == A))

    ZONE["a.test"] = rebinding
    DNS.asked.clear()
    with one_name() as w:
        must_equal(ask(VESSEL, "a.test").code, 0)
        must_equal(echo(w.connect("198.18.1.1", 80)), b"echo x")
        time.sleep(1.1)  # what was answered is valid for a second
        must_refuse(w, "198.18.1.1", 80)
        must_equal([r.verdict for r in w.relay.end()
                    if r.kind == "connection"], ["allowed", "address_range"])


@case
def address_rules_let_addresses_through():
    ZONE["a.test"] = ["10.1.2.3"]
    rules = [rule("a.test", 80, host=1), rule("10.0.0.0/8", 80),
             rule("%s/32" % OTHER, 80)]
    with World(rules, {80: ["::"]}) as w:
        for address in ("198.18.1.1", "10.9.9.9", OTHER):
            must_equal(echo(w.connect(address, 80)), b"echo x")
        for address in (PUBLIC, "192.168.0.1", "127.0.0.1", "198.18.1.9"):
            must_refuse(w, address, 80)
        refused = {r.address for r in w.relay.end()
                   if r.verdict == "no_rule"}
        must_equal(refused, {PUBLIC, "192.168.0.1", "198.18.1.9"})


@case
def a_wildcard_is_resolved_for_a_connection_alone():
    ZONE["x.deb.test"] = [PUBLIC]
    DNS.asked.clear()
    with World([rule("*.deb.test", 8443)], pool=2) as w:
        for bad in ("deb.test", "xdeb.test", "deb.test.x", "x.deb.tes"):
            must_equal(ask(VESSEL, bad).code, 3)
        must_equal(ask(VESSEL, "x.deb.test", AAAA).count, 0)
        must_equal(ask(VESSEL, "x.deb.test").addresses, ["198.18.1.1"])
        must_equal(ask(VESSEL, "secret.deb.test").addresses, ["198.18.1.2"])
        must_equal(DNS.asked, [])
        must_equal(w.relay.wait("named", name="x.deb.test").address,
                   "198.18.1.1")
        must_equal(echo(w.connect("198.18.1.1", 8443)), b"echo x")
        must_equal({n for n, _ in DNS.asked}, {"x.deb.test"})
        # The pool is empty; names that are known keep their addresses.
        must_equal(ask(VESSEL, "third.deb.test").code, 2)
        must_equal(ask(VESSEL, "x.deb.test").addresses, ["198.18.1.1"])
        must_equal(w.final(verdict="limit").name, "third.deb.test")


@case
def names_under_wildcards_are_capped():
    with World([rule("*.deb.test", 8443)], {8443: ["::"]}) as w:
        codes = [ask(VESSEL, "n%d.deb.test" % i).code for i in range(260)]
        must_equal((codes.count(0), codes.count(2)), (256, 4))
        w.relay.end()


# --- name servers ---

@case
def aliases_are_followed_and_circles_end():
    ZONE.update({"a.test": "b.test", "b.test": "c.test", "c.test": [PUBLIC],
                 "round.test": "again.test", "again.test": "round.test"})
    with World([rule("a.test", 80, host=1), rule("round.test", 80, host=2)],
               {80: [1, 2]}) as w:
        must_equal(ask(VESSEL, "a.test").code, 0)
        must_equal(ask(VESSEL, "round.test").code, 3)
        must_equal(echo(w.connect("198.18.1.1", 80)), b"echo x")
        w.relay.end()


@case
def a_server_that_lies_is_not_believed():
    good = socket.inet_aton(PUBLIC)
    bad = socket.inet_aton(OTHER)

    def lies(asked, kind, _times, _tcp):
        if kind != A:
            return answer(asked, [])
        told = record("a.test", A, bad)
        for raw in (asked[:7], b"\0\0" + answer(asked, [told])[2:],
                    answer(asked, [told], count=9),
                    answer(asked, [told[:-6] + b"\xff\xff" + bad]),
                    answer(asked, [told[:-6] + b"\0\x03" + bad[:3]]),
                    answer(question("b.test", A, struct.unpack(
                        "!H", asked[:2])[0]), [told])):
            DNS.udp.sendto(raw, DNS.peer)
        return answer(asked, [record("a.test", A, good)])

    ZONE["a.test"] = lies
    with one_name() as w:
        must_equal(echo(w.connect("198.18.1.1", 80)), b"echo x")
        must_equal(w.final(kind="connection").address, PUBLIC)


@case
def a_cut_answer_is_asked_for_over_tcp():
    many = ["93.184.1.%d" % i for i in range(200)]

    def cut(asked, kind, _times, over_tcp):
        if not over_tcp:
            return answer(asked, [], flags=0x8380)
        return answer(asked, [record("a.test", A, socket.inet_aton(t))
                              for t in many] if kind == A else [])

    ZONE["a.test"] = cut
    with one_name() as w:
        must_equal(echo(w.connect("198.18.1.1", 80)), b"echo x")
        must_equal(w.final(kind="connection").address, many[0])


@case
def another_server_is_asked():
    second = NameServer({"a.test": [PUBLIC]}, "127.0.0.2")
    ZONE["a.test"] = 2  # SERVFAIL
    with one_name(servers=("127.0.0.1", "127.0.0.2")) as w:
        must_equal(ask(VESSEL, "a.test").code, 0)
        w.relay.end()
    must(second.asked)
    with one_name(servers=("127.0.0.77", "127.0.0.2")) as w:  # nobody there
        must_equal(ask(VESSEL, "a.test").code, 0)
        w.relay.end()


@case
def slow_and_silent_servers_are_waited_for_with_an_end():
    def slow(asked, kind, _times, _tcp):
        time.sleep(0.3)
        return answer(asked, [record("a.test", A, socket.inet_aton(PUBLIC))
                              ] if kind == A else [])

    ZONE.update({"a.test": slow, "silent.test": lambda *_: None})
    with World([rule("a.test", 80, host=1), rule("silent.test", 80, host=2)],
               {80: [1, 2]}, resolve_ms=1500) as w:
        late = w.connect("198.18.1.2", 80)
        must_equal(ask(VESSEL, "a.test").code, 0)
        must_reset(late)
        must_equal(ask(VESSEL, "silent.test").code, 2)
        must_equal(ask(VESSEL, "a.test").code, 0)
        must_equal({r.verdict for r in w.relay.end() if r.name ==
                    "silent.test"}, {"resolve_failed"})


@case
def the_hosts_file_goes_first():
    ZONE["a.test"] = [OTHER]
    with one_name(hosts=[("a.test", PUBLIC)]) as w:
        must_equal(echo(w.connect("198.18.1.1", 80)), b"echo x")
        must_equal(w.final(kind="connection").address, PUBLIC)
    with one_name(hosts=[("a.test", "127.0.0.1")]) as w:
        must_equal(ask(VESSEL, "a.test").code, 3)
        w.relay.end()


@case
def malformed_questions_do_no_harm():
    chance = random.Random(15)
    ZONE["a.test"] = [PUBLIC]
    with one_name() as w:
        with VESSEL.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.connect(("127.0.0.1", 53))
            for i in range(2000):
                raw = bytearray(question("a.test"))
                for _ in range(chance.randrange(6)):
                    raw[chance.randrange(len(raw))] = chance.randrange(256)
                s.send(bytes(raw[:chance.randrange(len(raw) + 1)]))
                if i % 50 == 0:
                    must_equal(ask(VESSEL, "a.test").code, 0)
        for raw in (b"", b"\0", b"\0\0", b"\xff\xff" + bytes(600),
                    b"\0\x05hello", bytes(2000)):
            s = w.connect("127.0.0.1", 53)
            s.sendall(raw)
            s.close()
        must_equal(ask(VESSEL, "a.test", over_tcp=True).code, 0)
        w.relay.end()


@case
def junk_does_not_hide_what_was_reached():
    ZONE["a.test"] = [PUBLIC]
    with one_name() as w:
        for i in range(400):
            must_equal(ask(VESSEL, "junk%d.example" % i).code, 3)
        must_equal(echo(w.connect("198.18.1.1", 80)), b"echo x")
        final = w.relay.end()
        must_equal(len(final), 257)
        must_equal(final[-1].count, 400 - 255)
        must("allowed" in [r.verdict for r in final])
