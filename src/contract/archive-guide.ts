/** The text that explains an export of an account to the people who open it. */
export const ARCHIVE_GUIDE = `All that a Zonewright account has.

account.json             the account
limits.json              its limits, and what it uses of them
keys-1.jsonl             API keys, without their secrets
users-1.jsonl            people and their roles, without their passwords
invitations-1.jsonl      open invitations
trail-1.jsonl            who did what, the earliest first, as far back as it is kept
deleted_domains-1.jsonl  deleted domains that can still be restored
domains/<domain>/
  domain.json            SOA fields as they were set, serial, DNSSEC keys without their private parts
  records-1.jsonl        the records with their ids
  records.zone           the same records as a zone file (RFC 1035), which any nameserver can load
  history-1.jsonl        who changed what, the latest change first, as far back as it is kept

A .jsonl file has one JSON object in each line. Longer lists go on in files with higher numbers. Lists without entries have
no file. Each domain is as it was at one moment; one domain was read after the other.
`;
