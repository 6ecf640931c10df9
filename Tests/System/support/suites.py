"""Which tests run on a cluster too (`--on cluster`), and why others do not."""

from pathlib import Path

import pytest

# Journeys of phones, vendors' interfaces, OpenID and CAMARA, pages and face login, and what an operator does meanwhile.
ON_CLUSTER = (
    "test_admin_certificates.py", "test_clients.py", "test_clock_jumps.py", "test_face_pages.py", "test_facades.py",
    "test_freeradius_proxy.py", "test_hosted_login.py", "test_openid.py", "test_operating.py", "test_operators.py", "test_orders_storm.py",
    "test_page_review.py", "test_policy_history.py", "test_radclient.py", "test_schemathesis.py", "test_segments.py", "test_shop.py",
    "test_subscriber.py", "test_superid.py", "test_vendor_clients.py")

# File -> why it stays with processes of its own.
OWN_PROCESSES = {
    "test_accounting_bursts.py": "puts a library of its own under one process, and counts what that gives the kernel",
    "test_alerts.py": "is about the page of metrics, which each process has for itself",
    "test_authority_nodes.py": "makes nodes of its own and kills them",
    "test_backchannel.py": "restarts one process, and reads its log",
    "test_backup.py": "copies benji.sqlite; PostgreSQL has tools of its own for that",
    "test_benchmarks.py": "runs the benchmarks, which begin their own servers",
    "test_bill_of_materials.py": "looks at the program's libraries, and starts nothing",
    "test_bills.py": "kills one process on benji.sqlite, and one on a PostgreSQL of its own",
    "test_callbacks.py": "kills one process and reads the ledger in its benji.sqlite",
    "test_careless_operator.py": "makes and spoils installations whose folder and ports are one process's",
    "test_certificates.py": "replaces the files of one process and reads what its two listeners and its log make of them",
    "test_cluster.py": "begins this cluster itself, and breaks it",
    "test_console.py": "has the admin interface of one process, whose commands invite people",
    "test_console_phone.py": "has the admin interface and the provider of one process, in which browsers of phones sign in",
    "test_demo.py": "runs benji demo, a server of its own",
    "test_docs.py": "builds pages, and follows guides on the sandbox, a server of its own",
    "test_durability.py": "kills one process and opens its benji.sqlite",
    "test_examples.py": "reads the file of short messages of one process, and thaws an account in its benji.sqlite",
    "test_face.py": "runs commands on pictures, and no server",
    "test_failed_sync.py": "makes the syncs of one process fail by strace",
    "test_fapi2.py": "asks what the suites of TLS are of one process's listeners",
    "test_first_walk.py": "is about the sandbox, a server of its own",
    "test_framework.py": "is about pytest itself",
    "test_full_disk.py": "fills the disk of one process",
    "test_gateway_pair.py": "makes a pair of gateways of its own and kills them",
    "test_hostile.py": "measures memory and descriptors of one process under attack",
    "test_hosted_sms.py": "reads the file of short messages of one process, and takes its roles apart itself",
    "test_hsm.py": "keeps one process's master key in an HSM, and kills it",
    "test_key_rotation.py": "rotates the key of one data directory with benji.sqlite, whose files it reads",
    "test_kill9.py": "kills one process and looks at its journal",
    "test_kill_load.py": "kills one process and judges its benji.sqlite",
    "test_lab.py": "builds a network of its own around one process",
    "test_leaks.py": "searches the files of benji demo, a server of its own",
    "test_log.py": "kills one process, and changes a copy of its benji.sqlite",
    "test_log_reader.py": "takes the log's reader away from one process",
    "test_metrics_and_health.py": "is about metrics, health, log and signals of one process, and its wrong configurations",
    "test_migration.py": "brings databases of SQLite forward",
    "test_mtls.py": "asks what one process answers, with certificates of its own, and sends it SIGHUP",
    "test_oidcc.py": "asks what one process answers, with a certificate of its own",
    "test_oidf.py": "reads a document and its tests, and starts nothing",
    "test_openid_clients.py": "writes into the configuration of one process",
    "test_package.py": "installs the package on a machine, with one process",
    "test_page_chromium.py": "draws pages of the sandbox, a server of its own",
    "test_page_designer.py": "is about benji page design and the sandbox, servers of their own",
    "test_page_tool.py": "uses benji page, and no server",
    "test_page_wasm.py": "compares page engines, and starts no server",
    "test_postgres.py": "kills a PostgreSQL of its own under one process",
    "test_power_cut.py": "records the writes of one process",
    "test_race.py": "is about two processes on one benji.sqlite",
    "test_radsec.py": "ends and begins one process, and sends it SIGHUP",
    "test_redeem.py": "follows the page of the sandbox, a server of its own",
    "test_request_costs.py": "counts the instructions of one process",
    "test_roles_apart.py": "follows operations.md word for word, with one gateway and one authority on loopback",
    "test_samples.py": "runs commands and checks of files, and no server",
    "test_sandbox.py": "is about the sandbox, a server of its own",
    "test_sms.py": "asks a sender of short messages alone, and no server",
    "test_sms_codes.py": "counts the short messages of one process, to whose folder and store it writes",
    "test_sms_upstream.py": "has an SMSC of its own, to which one process or its authority binds",
    "test_sms_login.py": "reads the file of short messages of one process, and takes its roles apart itself",
    "test_sms_storm.py": "reads the file of short messages of two nodes, which it begins itself",
    "test_soak.py": "measures memory, descriptors and threads of one process",
    "test_store_copy.py": "moves an installation from benji.sqlite",
    "test_story.py": "installs the package on a machine, with one process, and restores its benji.sqlite on another one",
    "test_sync_before_answer.py": "traces the system calls of one process",
    "test_tshark.py": "captures what is on the loopback"}


def faults(place=Path(__file__).parents[1]):
    """What keeps the two lists from naming each file of tests once, with a reason where it does not run on a cluster."""
    files = {path.name for path in place.rglob("test_*.py")}
    named = [*ON_CLUSTER, *OWN_PROCESSES]
    return [f"{name} is {what}" for what, names in (
        ("in neither list of support/suites.py", files - set(named)), ("in support/suites.py, and there is no such file", set(named) - files),
        ("in support/suites.py more than once", {name for name in named if named.count(name) > 1}),
        ("kept from the cluster without a reason", {name for name, reason in OWN_PROCESSES.items() if len(reason.split()) < 3})) for name in sorted(names)]


def check():
    if found := faults():
        raise pytest.UsageError("; ".join(found))


def is_for_cluster(item):
    marker = item.get_closest_marker("own_processes")
    if marker and not (marker.args and marker.args[0]):
        raise pytest.UsageError(f"{item.nodeid} is kept from the cluster without a reason")
    return item.path.name in ON_CLUSTER and marker is None
