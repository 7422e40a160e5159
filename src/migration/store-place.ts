import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { parsePostgresUrl, type PostgresAddress } from '../store/postgres/postgres-address.ts';

/** Location of a store. */
export type StorePlace =
  | { readonly kind: 'sqlite'; readonly folder: string }
  | { readonly kind: 'postgres'; readonly address: PostgresAddress };

/** Parses `sqlite:data` (a data folder) or `postgres://user@host/database`. */
export function parseStorePlace(text: string): Parsed<StorePlace> {
  if (/^postgres(ql)?:/i.test(text)) {
    const address = parsePostgresUrl(text);
    return address.ok ? parsed({ kind: 'postgres', address: address.value }) : address;
  }
  const folder = /^sqlite:(.+)$/s.exec(text)?.[1];
  return folder === undefined || folder.includes('\0')
    ? malformed(
        'must be sqlite:<data folder> or postgres://<user>@<host>/<database>, for example sqlite:./data',
      )
    : parsed({ kind: 'sqlite', folder });
}
