import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A stand-in for Route 53: answers as in its API reference (2013-04-01), in pages, and requires Signature Version 4.
 * The signature is computed here from its description, without the package that the CLI signs with.
 */
export interface Route53StandIn {
  readonly url: string;
  /** Path and query of each request. */
  readonly asked: string[];
  /** Answers that are sent first, before any request is checked. */
  readonly prepared: { readonly status: number; readonly body: string }[];
  close(): void;
}

export interface StandInZone {
  readonly id: string;
  readonly name: string;
  readonly isPrivate?: boolean;
  /** `<ResourceRecordSet>` elements in the order of Route 53. */
  readonly sets: readonly string[];
}

export const standInKey = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: undefined,
};

/** @param pageSize maximum items per page, whatever the request asks for */
export async function startRoute53(zones: readonly StandInZone[], pageSize = 2): Promise<Route53StandIn> {
  const asked: string[] = [];
  const prepared: { status: number; body: string }[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const { status, body } = prepared.shift() ?? answer(request, zones, pageSize);
    response.writeHead(status, { 'Content-Type': 'text/xml', 'Retry-After': '0' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    prepared,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const head = '<?xml version="1.0"?>\n';
const namespace = 'xmlns="https://route53.amazonaws.com/doc/2013-04-01/"';

export function refusal(status: number, code: string, message: string) {
  const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error>`;
  const id = '<RequestId>b25f48e8-84fd-11e6-80d9-574e0c4664cb</RequestId>';
  return { status, body: `${head}<ErrorResponse ${namespace}>${error}${id}</ErrorResponse>` };
}

function answer(request: IncomingMessage, zones: readonly StandInZone[], pageSize: number) {
  const problem = checkSignature(request);
  if (problem !== undefined) return refusal(403, ...problem);
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  if (pathname === '/2013-04-01/hostedzone') return listZones(zones, searchParams, pageSize);
  const id = /^\/2013-04-01\/hostedzone\/(\w+)\/rrset$/.exec(pathname)?.[1];
  const zone = zones.find((one) => one.id === id);
  if (zone !== undefined) return listSets(zone, searchParams, pageSize);
  return refusal(404, 'NoSuchHostedZone', `No hosted zone found with ID: ${id ?? ''}`);
}

function listZones(zones: readonly StandInZone[], query: URLSearchParams, pageSize: number) {
  const marker = query.get('marker');
  const from = marker === null ? 0 : zones.findIndex(({ id }) => id === marker);
  const page = zones.slice(from, from + pageSize).map(
    ({ id, name, isPrivate = false, sets }) =>
      `<HostedZone><Id>/hostedzone/${id}</Id><Name>${name}</Name><CallerReference>of ${id}</CallerReference>
      <Config><Comment>a &amp; b</Comment><PrivateZone>${isPrivate}</PrivateZone></Config>
      <ResourceRecordSetCount>${sets.length}</ResourceRecordSetCount></HostedZone>`,
  );
  const next = zones.at(from + pageSize)?.id;
  return page200('ListHostedZonesResponse', [
    `<HostedZones>${page.join('')}</HostedZones>`,
    marker === null ? '' : `<Marker>${marker}</Marker>`,
    `<IsTruncated>${next !== undefined}</IsTruncated>`,
    next === undefined ? '' : `<NextMarker>${next}</NextMarker>`,
    `<MaxItems>${pageSize}</MaxItems>`,
  ]);
}

function listSets({ sets }: StandInZone, query: URLSearchParams, pageSize: number) {
  const keys = sets.map((set) => ['Name', 'Type', 'SetIdentifier'].map((name) => contentOf(set, name)));
  const wanted = ['name', 'type', 'identifier'].map((name) => query.get(name)?.replaceAll('&', '&amp;'));
  const from = wanted[0] === undefined ? 0 : keys.findIndex((key) => String(key) === String(wanted));
  const [name, type, identifier] = keys.at(from + pageSize) ?? [];
  return page200('ListResourceRecordSetsResponse', [
    `<ResourceRecordSets>${sets.slice(from, from + pageSize).join('\n')}</ResourceRecordSets>`,
    `<IsTruncated>${name !== undefined}</IsTruncated>`,
    name === undefined ? '' : `<NextRecordName>${name}</NextRecordName>`,
    type === undefined ? '' : `<NextRecordType>${type}</NextRecordType>`,
    identifier === undefined ? '' : `<NextRecordIdentifier>${identifier}</NextRecordIdentifier>`,
    `<MaxItems>${pageSize}</MaxItems>`,
  ]);
}

function page200(name: string, members: readonly string[]) {
  return { status: 200, body: `${head}<${name} ${namespace}>\n${members.join('\n')}\n</${name}>` };
}

function contentOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}

/** Returns the code and message of the refusal, or undefined if the signature is valid. */
function checkSignature({ method = '', url = '', headers }: IncomingMessage): [string, string] | undefined {
  const form =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/us-east-1\/route53\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w{64})$/;
  const [, id = '', day = '', names = '', signature = ''] = form.exec(headers.authorization ?? '') ?? [];
  const signed = names.split(';');
  const date = String(headers['x-amz-date']);
  if (id !== standInKey.accessKeyId) return ['InvalidClientTokenId', 'The security token is invalid.'];
  if (!signed.includes('host') || !signed.includes('x-amz-date') || !date.startsWith(day)) {
    return ['IncompleteSignature', 'The host and the date have to be signed.'];
  }
  const [path, query = ''] = url.split('?');
  const request = [
    method,
    path,
    query.split('&').filter(Boolean).sort().join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    createHash('sha256').update('').digest('hex'),
  ].join('\n');
  const scope = `${day}/us-east-1/route53/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(request).digest('hex')];
  const key = [day, 'us-east-1', 'route53', 'aws4_request'].reduce<string | Buffer>(
    (previous, word) => hmac(previous, word),
    `AWS4${standInKey.secretAccessKey}`,
  );
  if (hmac(key, toSign.join('\n')).toString('hex') === signature) return undefined;
  return ['SignatureDoesNotMatch', 'The request signature we calculated does not match the signature.'];
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
