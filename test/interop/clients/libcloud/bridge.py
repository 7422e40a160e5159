"""A bridge to Apache Libcloud's Vultr DNS driver: one JSON call a line in, one JSON line out."""

import json
import os
import sys

from libcloud.dns.base import Record, Zone
from libcloud.dns.providers import get_driver
from libcloud.dns.types import Provider

driver = get_driver(Provider.VULTR)(
    os.environ["VULTR_API_KEY"],
    secure=False,
    host="127.0.0.1",
    port=int(os.environ["VULTR_API_PORT"]),
)


def zone_of(call):
    return Zone(id=call["domain"], domain=call["domain"], type="master", ttl=None, driver=driver)


def handle_of(call):
    """What libcloud needs of a record to change or delete it."""
    return Record(id=call["id"], name=None, type=None, data=None, zone=zone_of(call), driver=driver)


def extra_of(record):
    return {key: record[key] for key in ("ttl", "priority") if key in record}


def show_zone(zone):
    return {"domain": zone.domain, "date_created": zone.extra["date_created"]}


def show_record(record):
    return {
        "id": record.id,
        "type": record.type,
        "name": record.name or "",
        "data": record.data,
        "ttl": record.ttl,
    }


def create_domain(call):
    extra = {"ip": call["ip"]} if "ip" in call else {}
    if call.get("signed"):
        extra["dns_sec"] = True
    return show_zone(driver.create_zone(call["domain"], extra=extra))


def create_record(call):
    record = call["record"]
    return show_record(
        driver.create_record(
            record["name"], zone_of(call), record["type"], record["data"], extra=extra_of(record)
        )
    )


def update_record(call):
    record = call["record"]
    driver.update_record(
        handle_of(call), name=record.get("name"), data=record.get("data"), extra=extra_of(record)
    )


CALLS = {
    "listDomains": lambda call: [zone.domain for zone in driver.list_zones()],
    "getDomain": lambda call: show_zone(driver.get_zone(call["domain"])),
    "createDomain": create_domain,
    "deleteDomain": lambda call: driver.delete_zone(zone_of(call)),
    "listRecords": lambda call: [show_record(record) for record in driver.list_records(zone_of(call))],
    "getRecord": lambda call: show_record(driver.get_record(call["domain"], call["id"])),
    "createRecord": create_record,
    "updateRecord": update_record,
    "deleteRecord": lambda call: driver.delete_record(handle_of(call)),
}

for line in sys.stdin:
    asked = json.loads(line)
    try:
        reply = {"result": CALLS[asked["call"]](asked)}
    except Exception as error:  # whatever the library raises is the answer
        reply = {"error": "%s: %s" % (type(error).__name__, error)}
    print(json.dumps(reply), flush=True)
