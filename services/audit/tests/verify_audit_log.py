"""A second verifier of audit log exports, written from docs/audit-log.md for the tests. It needs Python's library only.

Reads one JSON object a line: {"export": file, "keys": [verifier keys], "kept": [signed notes]}, and writes the findings of each
as one JSON array a line: ["record_altered 3", ...], sorted.
"""

import base64
import datetime
import hashlib
import json
import re
import sys

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
PERSONAL = ("auditMessage", "dataoneUser", "entityId", "entityName")
BESIDE = (*PERSONAL, "commitments", "context", "hash", "salt")
CHECKPOINT = re.compile(r"([^\n]+)\n(0|[1-9][0-9]{0,15})\n([+/0-9A-Za-z]{43}=)\n")


def sha256(data):
    return hashlib.sha256(data).digest()


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point, scalar = add(point, point), scalar >> 1
    return result


def decompress(data):
    number = int.from_bytes(data, "little")
    y, sign = number & (2**255 - 1), number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P:
        return None
    x = P - x if x % 2 != sign else x
    return (x, y, 1, x * y % P)


BASE = decompress((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(public, message, signature):
    """RFC 8032 section 5.1.7."""
    if len(signature) != 64 or int.from_bytes(signature[32:], "little") >= ORDER:
        return False
    key, point = decompress(public), decompress(signature[:32])
    if key is None or point is None:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    left = times(int.from_bytes(signature[32:], "little"), BASE)
    right = add(point, times(challenge, key))
    return all((left[i] * right[2] - right[i] * left[2]) % P == 0 for i in (0, 1))


def canonical(members):
    return json.dumps(members, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def leaf_of(record):
    shown = {name: value for name, value in record.items() if name not in BESIDE}
    values = [(name, record[name]) for name in PERSONAL if name in record]
    commitments = dict(record.get("commitments", {}))
    if record["version"] == 1:
        hidden = sha256(canonical({**dict(values), "salt": record.get("salt")})).hex()
        extra = {"context": record["context"]} if "context" in record else {}
        return canonical({**shown, **extra, "personalHash": hidden if values else commitments.get("personalHash")})
    given = [*values, *record.get("context", {}).items()]
    names = sorted(name for name, _ in given)
    for name, value in given:
        salt = str(record.get("salt"))[32 * names.index(name) :][:32]
        commitment = sha256(canonical({"name": name, "salt": salt, "value": value})).hex()
        commitments[name] = "" if name in commitments else commitment
    return canonical({**shown, "commitments": commitments})


def root_of(known, first, end):
    """The recursive definition of RFC 6962 section 2.1. `known` has the hashes of leaves and of archived subtrees."""
    if (first, end) in known or first == end:
        return known.get((first, end), sha256(b""))
    middle = first + (1 << (end - first - 1).bit_length() - 1)
    return sha256(b"\1" + root_of(known, first, middle) + root_of(known, middle, end))


def archived_nodes(start):
    known, first, nodes = {}, 0, iter(start["nodes"])
    for level in reversed(range(start["records"].bit_length())):
        if start["records"] >> level & 1:
            known[(first, first + (1 << level))] = base64.b64decode(next(nodes))
            first += 1 << level
    return known


def is_beginning(size, root, newer, proof):
    """RFC 9162 section 2.1.4.2."""
    hashes = [base64.b64decode(part) for part in proof]
    node, last = size - 1, newer["size"] - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    if node == 0:
        hashes.insert(0, root)
    if not hashes:
        return False
    old = new = hashes[0]
    for part in hashes[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            old, new = sha256(b"\1" + part + old), sha256(b"\1" + part + new)
            while node & 1 == 0 and node:
                node, last = node >> 1, last >> 1
        else:
            new = sha256(b"\1" + new + part)
        node, last = node >> 1, last >> 1
    return last == 0 and old == root and base64.b64encode(new).decode() == newer["root"]


def read_checkpoint(note):
    text = note[: note.rindex("\n\n") + 1]
    origin, size, root = CHECKPOINT.match(text).groups()
    return {"note": note, "text": text, "origin": origin, "size": int(size), "root": root}


def signer_of(checkpoint, keys):
    for key in keys:
        name, key_id, encoded = key.split("+", 2)
        public = base64.b64decode(encoded)
        known = public[:1] == b"\1" and sha256(name.encode() + b"\n" + public)[:4].hex() == key_id
        for line in checkpoint["note"][len(checkpoint["text"]) + 1 :].split("\n"):
            parts = line.split(" ")
            if not known or len(parts) != 3 or parts[:2] != ["—", checkpoint["origin"]] or name != parts[1]:
                continue
            field = base64.b64decode(parts[2])
            if field[:4].hex() == key_id and is_signed(public[1:], checkpoint["text"].encode(), field[4:]):
                return key
    return None


def time_of(text):
    try:
        return datetime.datetime.fromisoformat(str(text)).timestamp()
    except ValueError:
        return None


def check_records(records, start, report):
    last = {"sequence": 0, "id": "00000000-0000-0000-0000-000000000000", "chain": "0" * 64, "version": 0}
    if start:
        chain = start.get("lastChainHash")
        last = {"sequence": start["records"], "id": start["lastId"], "chain": chain, "version": 1 if chain else 2}
    latest, leaves, changes = float("-inf"), [], []
    for record in records:
        sequence, leaf = record["sequence"], leaf_of(record)
        leaves.append(sha256(b"\0" + leaf))
        chain, expected = sha256(leaf).hex(), last["sequence"] + 1
        if record["hash"] != (chain if record["version"] == 1 else leaves[-1].hex()):
            report("record_altered", sequence)
        if sequence > expected:
            report("records_missing", expected)
        elif sequence < expected:
            report("out_of_order", sequence)
        elif record["correlationId"] != last["id"]:
            report("link_broken", sequence)
        if record["version"] == 1 and record.get("previousHash") != last["chain"]:
            report("link_broken", sequence)
        is_end = record["version"] == 2 and last["version"] == 1
        if is_end and (record["auditCode"] != "AUD0110A" or record["entityId"] != last["chain"]):
            report("link_broken", sequence)
        now = time_of(record.get("recordedAt"))
        if now is not None and now < latest - 60:
            report("clock_set_back", sequence)
            latest = now
        elif now is not None:
            latest = max(latest, now)
        if record["auditCode"] == "AUD0111A":
            if any(record["entityName"] == former for _, _, former in changes):
                report("key_retired", sequence)
            changes.append((sequence, record["entityName"], record["entityId"]))
        last = {"sequence": sequence, "id": record["id"], "chain": chain, "version": record["version"]}
    return leaves, changes


def check_producers(records, start, waiting, report):
    """Reports what is reversed, and what is missing unless `waiting` is None."""
    archived = start.get("producers") if start else []
    known, settled = {}, {}
    for one in archived or []:
        known[one["id"]] = {n: run["sequence"] for run in one["known"] for n in range(run["first"], run["last"] + 1)}
        settled[one["id"]] = (one["settled"], one["settledAt"])
    batch, recorded_at = {}, None
    for record in records:
        if record.get("recordedAt") != recorded_at:
            batch, recorded_at = {}, record.get("recordedAt")
        producer = record.get("producer")
        if not producer:
            continue
        name, number, sequence = producer["id"], producer["number"], record["sequence"]
        for one in [number, *producer.get("voided", [])]:
            known.setdefault(name, {}).setdefault(one, sequence)
        if producer["settled"] > settled.get(name, (0, 0))[0]:
            settled[name] = (producer["settled"], sequence)
        if number <= batch.get(name, 0):
            report("producer_reversed", sequence)
        batch[name] = number
    if waiting is None or archived is None:
        return
    for name, (upto, place) in settled.items():
        late = {n for run in waiting if run["id"] == name for n in range(run["first"], run["last"] + 1)}
        present, last = sorted({*known[name], *late, upto + 1}), 0
        for number in present:
            if number > last + 1 and last < upto:
                above = [n for n in known[name] if n >= number]
                report("producer_gap", known[name][min(above)] if above else place)
            last = number


def check_redactions(records, report):
    recorded = []
    for record in records:
        if record.get("auditCode") == "AUD0113A":
            for part in record.get("entityId", "").split(","):
                first, _, last = part.partition("-")
                if first.isdigit():
                    recorded.append((int(first), int(last or first), record.get("entityName", "").split(",")))
    for record in records:
        for name in record.get("commitments", {}):
            field = "auditMessage" if name == "personalHash" else name
            if not any(a <= record["sequence"] <= b and field in names for a, b, names in recorded):
                report("redaction_unrecorded", record["sequence"])
                break


def key_at(size, changes):
    valid = [key for sequence, key, _ in changes if sequence <= size]
    return valid[-1] if valid else changes[0][2] if changes else None


def cosigned_by(witness, checkpoint):
    name, key_id, encoded = witness.split("+", 2)
    public = base64.b64decode(encoded)
    if public[:1] != b"\4" or sha256(name.encode() + b"\n" + public)[:4].hex() != key_id:
        return False
    for line in checkpoint["note"][len(checkpoint["text"]) + 1 :].split("\n"):
        parts = line.split(" ")
        field = base64.b64decode(parts[2]) if len(parts) == 3 and parts[:2] == ["—", name] else b""
        if field[:4].hex() == key_id and len(field) == 76:
            time = int.from_bytes(field[4:12], "big")
            signed = f"cosignature/v1\ntime {time}\n{checkpoint['text']}".encode()
            if is_signed(public[1:], signed, field[12:]):
                return True
    return False


def verify(export, keys, kept, witnesses=(), needed=None, archive=False):
    findings = []

    def report(kind, sequence):
        findings.append(f"{kind} {sequence}")

    records, last, start, proof, cosigned, earlier, changes = [], None, None, None, [], [], []
    waiting = None
    with open(export, encoding="utf-8") as lines:
        for line in lines:
            try:
                parsed = json.loads(line)
            except ValueError:
                report("not_a_record", len(records) + 1)
                continue
            if "checkpoint" in parsed:
                last = read_checkpoint(parsed["checkpoint"])
                cosigned = [read_checkpoint(one["checkpoint"]) for one in parsed.get("cosigned", [])]
                proof = parsed.get("proof") if archive else None
                waiting = parsed.get("waiting", []) if proof is None else None
            elif "archived" in parsed:
                total = (start["records"] if start else 0) + len(records)
                if parsed["archived"]["records"] != total:
                    if records:
                        report("records_missing", total + 1)
                        earlier.append((start, records))
                    start, records = parsed["archived"], []
            else:
                records.append(parsed)
    for part in earlier:
        changes += check_records(part[1], part[0], report)[1]
        check_producers(part[1], part[0], None, report)
    leaves, latest_changes = check_records(records, start, report)
    changes += latest_changes
    check_producers(records, start, waiting, report)
    everything = [record for _, part in earlier for record in part] + records
    if proof is None:
        check_redactions(everything, report)
    archived = start["records"] if start else 0
    known = archived_nodes(start) if start else {}
    known.update({(archived + index, archived + index + 1): leaf for index, leaf in enumerate(leaves)})
    total = archived + len(leaves)
    encoded_root = lambda size: base64.b64encode(root_of(known, 0, size)).decode()
    named = [r["entityId"].split("-")[-1] for r in everything if r.get("auditCode") == "AUD0114A"]
    if archived and str(archived) not in named and proof is None:
        report("records_missing", 1)
    kept = [read_checkpoint(note) for note in kept]
    if last is None:
        report("checkpoint_missing", len(records))
    elif proof is None and total < last["size"]:
        report("tail_missing", total + 1)
    elif total > last["size"]:
        report("tail_unknown", last["size"] + 1)
    elif not (
        is_beginning(total, root_of(known, 0, total), last, proof)
        if proof is not None and total < last["size"]
        else encoded_root(total) == last["root"]
    ):
        same = [k for k in kept if k["origin"] == last["origin"] and archived <= k["size"] <= total]
        good = [k["size"] for k in same if encoded_root(k["size"]) == k["root"]]
        report("root_mismatch", max([archived, *good]) + 1)
    for checkpoint in kept:
        if checkpoint["size"] < archived:
            report("archive_missing", checkpoint["size"])
        elif last and checkpoint["origin"] != last["origin"]:
            report("log_replaced", checkpoint["size"])
        elif last and last["size"] < checkpoint["size"]:
            report("log_set_back", last["size"] + 1)
        elif total < checkpoint["size"] or encoded_root(checkpoint["size"]) != checkpoint["root"]:
            report("log_forked", checkpoint["size"])
    for checkpoint in [last, *kept] if last else kept:
        signer = signer_of(checkpoint, keys)
        valid = None if checkpoint["size"] > total else key_at(checkpoint["size"], changes)
        if signer is None:
            report("signature_invalid", checkpoint["size"])
        elif valid is not None and signer != valid:
            report("key_retired", checkpoint["size"])
    continued = lambda c: last and c["origin"] == last["origin"] and encoded_root(c["size"]) == c["root"]
    good = [c for c in kept if archived <= c["size"] <= total and continued(c)] + ([last] if last else [])
    found = 0
    for witness in witnesses:
        of_witness = [c for c in cosigned if c["size"] >= archived and cosigned_by(witness, c)]
        forked = [c for c in of_witness if c["size"] > total or not continued(c)]
        if forked:
            report("log_forked", forked[0]["size"])
        found += len(of_witness) > len(forked) or any(cosigned_by(witness, c) for c in good)
    if found < (len(witnesses) if needed is None else needed):
        report("cosignatures_missing", last["size"] if last else 0)
    return sorted(findings)


for case in sys.stdin:
    print(json.dumps(verify(**json.loads(case))), flush=True)
