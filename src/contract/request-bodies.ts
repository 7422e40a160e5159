// What each request may carry. Unknown members are ignored, so that clients may repeat path parameters in the body.
import Type from 'typebox';
import { bodyShape, optionalInteger, optionalList, optionalText, optionalWord } from './body-shape.ts';
import { MAX_CHANGES, MAX_ZONE_RECORDS } from '../model/write-limits.ts';

const ttl = 'Seconds, 1 to 2147483647. Required unless the operator set a default TTL';
const priority =
  'Preference (MX) or priority (SRV), 0 to 65535; kept as given and without meaning for other types';
const recordName =
  'Owner name, relative to the domain or fully qualified inside it; "" or "@" for the domain itself';
const recordData =
  'Presentation format of the type (RFC 1035 section 5); TXT bare or quoted, MX and SRV without the leading priority';
const dnsSec = 'DNSSEC signing';

export const createDomainBody = bodyShape(
  Type.Object(
    {
      domain: Type.String({ description: 'The domain name', examples: ['example.com'] }),
      ip: optionalText('Address to bind to the domain, IPv4 or IPv6', ['192.0.2.1']),
      dns_sec: optionalWord(['enabled', 'disabled'], dnsSec),
    },
    { examples: [{ domain: 'example.com', ip: '192.0.2.1' }] },
  ),
);

export const updateDomainBody = bodyShape(
  Type.Object(
    { dns_sec: optionalWord(['enabled', 'disabled'], dnsSec) },
    { examples: [{ dns_sec: 'disabled' }] },
  ),
);

export const updateSoaBody = bodyShape(
  Type.Object(
    {
      nsprimary: optionalText('Host name of the primary nameserver', ['ns1.example.net']),
      email: optionalText('Mail address of who answers for the domain', ['hostmaster@example.com']),
    },
    { examples: [{ nsprimary: 'ns1.example.net', email: 'hostmaster@example.com' }] },
  ),
);

export const createRecordBody = bodyShape(
  Type.Object(
    {
      type: Type.String({ description: 'Record type, e.g. A, or TYPE65280', examples: ['A'] }),
      name: Type.String({ description: recordName, examples: ['www'] }),
      data: Type.String({ description: recordData, examples: ['192.0.2.1'] }),
      ttl: optionalInteger(ttl, [300]),
      priority: optionalInteger(priority, [10]),
    },
    { examples: [{ type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 }] },
  ),
);

export const updateRecordBody = bodyShape(
  Type.Object(
    {
      type: optionalText('May be sent if unchanged', ['A']),
      name: optionalText(recordName, ['www']),
      data: optionalText(recordData, ['192.0.2.2']),
      ttl: optionalInteger(ttl, [300]),
      priority: optionalInteger(priority, [10]),
    },
    { examples: [{ data: '192.0.2.2' }] },
  ),
);

const updateSchema = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The record’s id' }),
  ...updateRecordBody.schema.properties,
});

/** One change of a batch: like the body that changes the record alone, with the id that stands in the path there. */
export const batchUpdate = bodyShape(
  Type.Object({ ...updateRecordBody.schema.properties, id: Type.String({ description: 'The record’s id' }) }),
);

/** What the lists hold is looked at one by one, so that all that is wrong is told at once. */
export const batchBody = {
  schema: Type.Object(
    {
      delete: Type.Optional(
        Type.Array(Type.String({ format: 'uuid' }), { description: 'Record ids, deleted first' }),
      ),
      update: Type.Optional(Type.Array(updateSchema, { description: 'Changed then' })),
      create: Type.Optional(Type.Array(createRecordBody.schema, { description: 'Created last' })),
    },
    {
      description: `At most ${MAX_CHANGES} changes in all`,
      examples: [{ create: [{ type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 }] }],
    },
  ),
  check: bodyShape(Type.Object({ delete: optionalList(), update: optionalList(), create: optionalList() }))
    .check,
};

export const zoneBody = {
  schema: Type.Object(
    { records: Type.Array(createRecordBody.schema) },
    {
      description: `At most ${MAX_ZONE_RECORDS} records`,
      examples: [{ records: [{ type: 'A', name: 'www', data: '192.0.2.1', ttl: 300 }] }],
    },
  ),
  check: bodyShape(Type.Object({ records: Type.Array(Type.Unknown()) })).check,
};

export const revertBody = bodyShape(
  Type.Object(
    { to: Type.Integer({ description: 'A serial that the domain had', minimum: 0, examples: [1763650001] }) },
    { examples: [{ to: 1763650001 }] },
  ),
);

export const restoreBody = bodyShape(
  Type.Object(
    { id: optionalText('Which one, as deleted_domains shows it; the one deleted last if absent', ['17']) },
    { examples: [{ id: '17' }] },
  ),
);

export const createAccountBody = bodyShape(
  Type.Object(
    {
      name: Type.String({ description: 'The account’s name', examples: ['Example Ltd'] }),
      email: Type.String({ description: 'Its mail address', examples: ['dns@example.com'] }),
    },
    { examples: [{ name: 'Example Ltd', email: 'dns@example.com' }] },
  ),
);

export const createKeyBody = bodyShape(
  Type.Object(
    {
      label: optionalText('Words that tell the key from others', ['acme on web1']),
      scope: optionalWord(
        ['full', 'read', 'admin'],
        'full (default): everything in its account; read: only reads; admin: also accounts and their keys',
      ),
      account: optionalText('The account’s id; the caller’s own if absent'),
    },
    { examples: [{ label: 'acme on web1', scope: 'full' }] },
  ),
);
