"""Names the part of each file of system tests, and the files that also run on a cluster (`--on cluster`)."""

import ast
from pathlib import Path

# `gate` is what `make test` runs; the others are the parts of `make proof`. @pytest.mark.part(name) puts one test of a
# file into another part.
PARTS = {
    "gate": """
        accounting_bursts admin_certificates alerts camara_walk certificates clients clock_jumps demo durability
        facades framework leaks metrics_and_health oidf operating operators page_review page_tool policy_history
        postgres radclient redeem roles_apart segments server_api shop sms_codes sms_login subscriber vendor_clients""",
    # Kills, power cuts, full disks and storms.
    "kills": """
        backup bills callbacks failed_sync full_disk hsm key_rotation kill9 kill_load log migration orders_storm
        power_cut race sms_storm store_copy sync_before_answer""",
    # Several machines, pairs and nodes.
    "cluster": "authority_nodes cluster floods gateway_pair",
    # Tests of time, memory and throughput. Nothing else may run meanwhile.
    "time": "hostile lab log_reader soak",
    "browser": """
        backchannel console console_phone first_walk hosted_login hosted_sms one_port openid page_chromium
        page_designer page_wasm sandbox""",
    # Real models and faces.
    "face": "face face_pages superid",
    # Other people's programs and suites.
    "foreign": """
        fapi2 freeradius_proxy mtls oidcc openid_clients public_packets radsec schemathesis sms sms_upstream tshark""",
    # Every command and every sample, with mistakes.
    "operator": "careless_operator docs samples unfit_databases",
    "package": "bill_of_materials package story walks",
    # Tables of figures, and the programs that measure them.
    "figures": "benchmarks request_costs",
    # Example apps.
    "apple": "examples",
}
PARTS = {part: tuple(f"test_{name}.py" for name in names.split()) for part, names in PARTS.items()}

# Files whose tests also run on a cluster.
ON_CLUSTER = (
    "test_admin_certificates.py", "test_clients.py", "test_clock_jumps.py", "test_face_pages.py", "test_facades.py",
    "test_freeradius_proxy.py", "test_hosted_login.py", "test_openid.py", "test_operating.py", "test_operators.py",
    "test_orders_storm.py", "test_page_review.py", "test_policy_history.py", "test_radclient.py",
    "test_schemathesis.py",
    "test_segments.py", "test_shop.py", "test_subscriber.py", "test_superid.py", "test_vendor_clients.py")

# The other files -> the reason why they start their own processes.
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
    "test_camara_walk.py": "asks one process, with a client of its own",
    "test_certificates.py": "replaces the files of one process and reads what its two listeners and its log make of "
                            "them",
    "test_cluster.py": "begins this cluster itself, and breaks it",
    "test_console.py": "has the admin interface of one process, whose commands invite people",
    "test_console_phone.py": "has the admin interface and the provider of one process, in which browsers of phones "
                             "sign in",
    "test_demo.py": "runs benji demo, a server of its own",
    "test_docs.py": "builds pages, and follows guides on the sandbox, a server of its own",
    "test_durability.py": "kills one process and opens its benji.sqlite",
    "test_examples.py": "reads the file of short messages of one process, and thaws an account in its benji.sqlite",
    "test_face.py": "runs commands on pictures, and no server",
    "test_failed_sync.py": "makes the syncs of one process fail by strace",
    "test_fapi2.py": "asks what the suites of TLS are of one process's listeners",
    "test_first_walk.py": "is about the sandbox, a server of its own",
    "test_floods.py": "makes a pair of gateways of its own, a long way from their database",
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
    "test_metrics_and_health.py": "is about metrics, health, log and signals of one process, and its wrong "
                                  "configurations",
    "test_migration.py": "brings databases of SQLite forward",
    "test_mtls.py": "asks what one process answers, with certificates of its own, and sends it SIGHUP",
    "test_oidcc.py": "asks what one process answers, with a certificate of its own",
    "test_oidf.py": "reads a document and its tests, and starts nothing",
    "test_one_port.py": "is about the sandbox, a server of its own",
    "test_openid_clients.py": "writes into the configuration of one process",
    "test_package.py": "installs the package on a machine, with one process",
    "test_page_chromium.py": "draws pages of the sandbox, a server of its own",
    "test_page_designer.py": "is about benji page design and the sandbox, servers of their own",
    "test_page_tool.py": "uses benji page, and no server",
    "test_page_wasm.py": "compares page engines, and starts no server",
    "test_postgres.py": "kills a PostgreSQL of its own under one process",
    "test_power_cut.py": "records the writes of one process",
    "test_race.py": "is about two processes on one benji.sqlite",
    "test_public_packets.py": "has phones at every address, on a machine of its own",
    "test_radsec.py": "ends and begins one process, and sends it SIGHUP",
    "test_redeem.py": "follows the page of the sandbox, a server of its own",
    "test_request_costs.py": "counts the instructions of one process",
    "test_roles_apart.py": "follows docs/operations/gateways.md word for word, with one gateway and one authority on "
                           "loopback",
    "test_samples.py": "runs commands and checks of files, and no server",
    "test_sandbox.py": "is about the sandbox, a server of its own",
    "test_server_api.py": "asks the sandbox, a server of its own",
    "test_sms.py": "asks a sender of short messages alone, and no server",
    "test_sms_codes.py": "counts the short messages of one process, to whose folder and store it writes",
    "test_sms_upstream.py": "has an SMSC of its own, to which one process or its authority binds",
    "test_sms_login.py": "reads the file of short messages of one process, and takes its roles apart itself",
    "test_sms_storm.py": "reads the file of short messages of two nodes, which it begins itself",
    "test_soak.py": "measures memory, descriptors and threads of one process",
    "test_store_copy.py": "moves an installation from benji.sqlite",
    "test_walks.py": "installs the package on a machine, with the sandbox",
    "test_story.py": "installs the package on a machine, with one process, and restores its benji.sqlite on another "
                     "one",
    "test_sync_before_answer.py": "traces the system calls of one process",
    "test_tshark.py": "captures what is on the loopback",
    "test_unfit_databases.py": "changes the clock of one node, and has a PostgreSQL of its own in encodings and "
                               "without TLS"}


def faults(place=Path(__file__).parents[1]):
    """Every reason why a file of tests is not in exactly one part, and in exactly one list for the cluster."""
    files = {path.name for path in place.rglob("test_*.py")}
    lists = [*ON_CLUSTER, *OWN_PROCESSES]
    parts = [name for names in PARTS.values() for name in names]
    return [f"{name} is {what}" for what, names in (
        ("in neither list of support/suites.py", files - set(lists)),
        ("in no part of support/suites.py", files - set(parts)),
        ("in support/suites.py, and there is no such file", {*lists, *parts} - files),
        ("in support/suites.py more than once",
         {name for names in (lists, parts) for name in names if names.count(name) > 1}),
        ("kept from the cluster without a reason",
         {name for name, reason in OWN_PROCESSES.items() if len(reason.split()) < 3})) for name in sorted(names)]


def support_of(files):
    """The modules of `support` that files import, directly or through each other."""
    left, found = list(files), set()
    while left:
        for node in ast.walk(ast.parse(left.pop().read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").split(".")[0] == "support"):
                module = (node.module or "").removeprefix("support").lstrip(".")
                names = [module] if module else [each.name for each in node.names]
            new = {Path(__file__).with_name(f"{name}.py") for name in names} - found
            new = {path for path in new if path.exists()}
            found |= new
            left += new
    return found


def quarantined(path=Path(__file__).parents[2] / "quarantine.tsv"):
    """The ids of the tests that Tests/quarantine.tsv takes out of make test."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {line.split("\t")[0] for line in lines[1:]}


def usage_error(text):
    """Imported here, because scripts read the tables with a Python that may have no pytest."""
    import pytest
    return pytest.UsageError(text)


def check():
    if found := faults():
        raise usage_error("; ".join(found))


def part_of(item):
    """The part named by the test's mark, or else that of its file. A file that no part lists is in the gate."""
    marker = item.get_closest_marker("part")
    if marker and marker.args[0] not in PARTS:
        raise usage_error(f"{item.nodeid} is in a part that support/suites.py does not list: {marker.args[0]}")
    if marker:
        return marker.args[0]
    return next((part for part, names in PARTS.items() if item.path.name in names), "gate")


def is_for_cluster(item):
    marker = item.get_closest_marker("own_processes")
    if marker and not (marker.args and marker.args[0]):
        raise usage_error(f"{item.nodeid} is kept from the cluster without a reason")
    return item.path.name in ON_CLUSTER and marker is None
