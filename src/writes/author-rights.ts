import type { Domain } from '../model/domain.ts';
import type { RecordPermission } from '../model/permission.ts';
import type { Refusal } from '../model/refusal.ts';
import { permitsInDomain, permitsRecord, type RecordPlace } from '../model/rights.ts';
import { formatRecordType } from '../dns/type-mnemonic.ts';
import type { Author } from './command.ts';

/**
 * Decides for each record that a command writes whether its author may write it. Whether the author may send the command at
 * all was decided before. Commands that write domains as a whole do not ask: they need rights without limits on records.
 */
export class AuthorRights {
  /** Null: no command has begun, or it has none. */
  author: Author | null = null;
  private isDryRun = false;

  begin(author: Author | null, isDryRun: boolean): void {
    this.author = author;
    this.isDryRun = isDryRun;
  }

  /** An author who may read all of a domain may also see what a write to it would change. */
  findRefusal(permission: RecordPermission, { name }: Domain, record: RecordPlace): Refusal | undefined {
    const rights = this.author?.rights;
    if (rights === undefined || permitsRecord(rights, permission, name, record)) return undefined;
    if (this.isDryRun && permitsInDomain(rights, 'zones:read', name)) return undefined;
    const what = `${formatRecordType(record.type)} records at ${record.owner === '' ? '@' : record.owner}`;
    return {
      code: 'forbidden',
      message: `${this.author?.userId === undefined ? 'This API key' : 'Your role'} lacks the permission ${permission} for ${what} in ${name}`,
    };
  }
}
