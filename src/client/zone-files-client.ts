import type { ImportJson } from '../contract/response-shapes.ts';
import { domainPath, withQuery } from './list-pages.ts';
import { sendRequest, type Endpoint } from './send-request.ts';
import { readChanged, sendWrite } from './send-write.ts';
import type { Real, WriteOptions, WriteResult, Written } from './write-options.ts';

export interface ZoneFile {
  readonly text: string;
  /** The revision of the domain that the file shows; with `dnssec`, each serial has a tag of its own. */
  readonly etag: string | undefined;
}

export type Imported = Written & ImportJson;

export interface ZoneFilesClient {
  /**
   * Exports the domain as a zone file.
   *
   * @param options.dnssec the zone as it is served, with keys, signatures and proofs; only of a signed domain, and not with `at`
   * @param options.at an earlier serial, or a time (RFC 3339)
   * @param options.ifNoneMatch returns undefined if this is still the revision
   */
  get(domain: string, options?: ZoneFileOptions & { readonly ifNoneMatch?: undefined }): Promise<ZoneFile>;
  get(domain: string, options: ZoneFileOptions): Promise<ZoneFile | undefined>;
  /** Imports a zone file and keeps all other records. */
  merge<O extends ImportOptions = Real<ImportOptions>>(
    domain: string,
    text: string,
    options?: O,
  ): Promise<WriteResult<Imported, O>>;
  /** Imports a zone file and deletes all other records. */
  replace<O extends ReplaceOptions = Real<ReplaceOptions>>(
    domain: string,
    text: string,
    options?: O,
  ): Promise<WriteResult<Imported, O>>;
}

export interface ImportOptions extends WriteOptions {
  /** Creates the domain in the same step if it does not exist. */
  readonly create?: boolean | undefined;
}

export interface ReplaceOptions extends ImportOptions {
  /** Another signer has signed the zone file: it is verified, and served as it is. */
  readonly presigned?: boolean | undefined;
}

export interface ZoneFileOptions {
  readonly dnssec?: boolean | undefined;
  readonly at?: number | string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** A large zone takes some seconds, and may have to wait for others. */
const IMPORT_SECONDS = 300;

function flagOf(value: boolean | undefined): 'true' | undefined {
  return value === true ? 'true' : undefined;
}

export function createZoneFilesClient(endpoint: Endpoint): ZoneFilesClient {
  const path = (domain: string): string => `${domainPath(domain)}/zonefile`;
  const send = <O extends ReplaceOptions>(
    method: 'PUT' | 'POST',
    domain: string,
    zoneFile: string,
    options: O | undefined,
  ) =>
    sendWrite(
      endpoint,
      method,
      withQuery(path(domain), { create: flagOf(options?.create), presigned: flagOf(options?.presigned) }),
      { zoneFile, waitSeconds: IMPORT_SECONDS },
      options,
      (answer) => ({ ...(answer.body as ImportJson), ...readChanged(answer) }),
    );
  return {
    get: (async (domain: string, { at, dnssec, ifNoneMatch }: ZoneFileOptions = {}) => {
      const request = { wantsText: true, waitSeconds: IMPORT_SECONDS, ifNoneMatch };
      const query = { at, dnssec: dnssec === true ? 'true' : undefined };
      const answer = await sendRequest(endpoint, 'GET', withQuery(path(domain), query), request);
      return answer.status === 304 ? undefined : { text: answer.body as string, etag: answer.etag };
    }) as ZoneFilesClient['get'],
    merge: (domain, text, options) => send('POST', domain, text, options),
    replace: (domain, text, options) => send('PUT', domain, text, options),
  };
}
