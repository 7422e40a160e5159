// A signed zone that changes without a pause, as a validating resolver sees it: switched on over HTTP, its DS in a parent
// zone on BIND and Knot, two signed zones below it, and Unbound, which trusts the key of the parent only. After each random
// edit, of records or of the signing itself, every answer must be what was written, with the AD bit; Unbound derives answers
// from records of denial that it has (RFC 8198), so an incorrect chain shows in names that were not asked for. At the end,
// other programs verify the zone, which is in a rollover then, and its export must be what is served.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SigningStatusJson } from '../../../src/contract/signing-status-shape.ts';
import { chooseSeed, seededRandom, type Random } from '../../harness/random.ts';
import { createApi, type Api } from '../api.ts';
import { findDs } from '../moving/find-ds.ts';
import { knot, startOldServer } from '../moving/old-servers.ts';
import { DS_TTL_SECONDS, REGISTRY, startParentZone } from '../moving/parent-zone.ts';
import { startValidatingResolver, type ValidatingResolver } from '../moving/validating-resolver.ts';
import { runProgram } from '../run-program.ts';
import { startService } from '../service.ts';
import { askRandomly, showZone } from '../signed/ask-randomly.ts';
import { collectZone } from '../signed/collect-zone.ts';
import { compareExport } from '../signed/compare-export.ts';
import { editSigning } from '../signed/edit-signing.ts';
import { childHosts } from '../signed/model-zone.ts';
import { addOne, editRandomly, type EditedZone } from '../signed/random-edits.ts';
import { print, type Suite } from '../suite.ts';
import { newKeyPair } from '../../../src/dnssec/key-pair.test-support.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

const FIRST_EDITS = 30;
const ROUNDS = 100;
const QUESTIONS_A_ROUND = 5;
/** One edit in so many changes how the domain is signed. */
const SIGNING_EDITS = 6;

interface Variant {
  readonly denial: 'nsec' | 'nsec3';
  /** That of the key at first. */
  readonly algorithm: 13 | 15;
}

const variants: readonly Variant[] = [
  { denial: 'nsec', algorithm: 13 },
  { denial: 'nsec3', algorithm: 15 },
];

export const signedZoneSuite: Suite = {
  name: 'signed-zone',
  run: async (runCase, { folder }) => {
    const seed = chooseSeed();
    print(`TEST_SEED=${seed}`);
    for (const variant of variants)
      await runCase(
        `random edits, validated by Unbound (at first ${variant.denial}, algorithm ${variant.algorithm})`,
        () => editAndValidate(mkdtempSync(join(folder, 'signed-')), variant, seededRandom(seed)),
      );
  },
};

interface Stage {
  readonly zone: EditedZone;
  readonly api: Api;
  readonly resolver: ValidatingResolver;
  readonly port: number;
}

async function editAndValidate(home: string, variant: Variant, random: Random): Promise<string> {
  const started: { stop(): Promise<unknown> }[] = [];
  try {
    const stage = await setStage(home, variant, started);
    const { zone, api, resolver } = stage;
    const domain = zone.apex.slice(0, -1);
    for (let i = 0; i < FIRST_EDITS; i++) await editRandomly(random, api, zone);
    let [answers, signings] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      if (random.below(SIGNING_EDITS) === 0) {
        const change = await editSigning(random, api, domain);
        signings++;
        answers += await askRandomly(random, zone, resolver, QUESTIONS_A_ROUND, change);
        continue;
      }
      while (!(await editRandomly(random, api, zone)));
      answers += await askRandomly(random, zone, resolver, QUESTIONS_A_ROUND);
    }
    await beginRollover(api, domain);
    const verified = await verifyWhole(home, stage);
    return `${ROUNDS} changes, ${signings} of them of the signing, ${answers} answers as written and validated; ${verified}`;
  } finally {
    for (const one of started.toReversed()) await one.stop();
  }
}

async function setStage(
  home: string,
  { denial, algorithm }: Variant,
  started: { stop(): Promise<unknown> }[],
): Promise<Stage> {
  const service = await startService(checkout, home, {
    ZONEWRIGHT_DNSSEC_DENIAL: denial,
    ZONEWRIGHT_RRL: '0',
    // Nobody looks at the parent zone, so that rollovers stay in their first step.
    ZONEWRIGHT_RESOLVERS: 'none',
  });
  started.push(service);
  const api = createApi(`http://127.0.0.1:${service.httpPort}`, service.key);
  started.push({ stop: () => Promise.resolve(api.close()) });
  const domain = `${denial}.${REGISTRY}`;
  await api.mustSend('POST', '/v2/domains', { domain });
  if (algorithm === 13) await api.mustSend('PUT', `/v2/domains/${domain}`, { dns_sec: 'enabled' });
  else await importKey(api, domain);

  const children = [`child.${domain}.`, `child.a.${domain}.`];
  const childDs = new Map<string, string>();
  const addresses: Record<string, readonly string[]> = { [domain]: [`127.0.0.1:${service.dnsPort}`] };
  for (const [i, child] of children.entries()) {
    const hosts = [...childHosts].map(([host, address]) => `${host} A ${address}\n`).join('');
    const text = `$ORIGIN ${child}\n$TTL 300\n@ SOA ns hostmaster 1 7200 900 1209600 300\n@ NS ns\n${hosts}`;
    const name = child.slice(0, -1);
    const server = await startOldServer({
      kind: knot,
      folder: join(home, `child-${i}`),
      zone: name,
      text,
      isSigned: true,
    });
    started.push(server);
    addresses[name] = [server.address];
    childDs.set(child, (await findDs(name, server.port))[0] ?? '');
  }
  const zone: EditedZone = { apex: `${domain}.`, records: [], children, childDs };
  for (const child of children) {
    await addOne(api, zone, { owner: child, type: 'NS', shown: `ns.${child}` }, 300);
    await addOne(api, zone, { owner: `ns.${child}`, type: 'A', shown: '127.0.0.1' }, 300);
  }
  const resolver = await startResolver(home, domain, await readDs(api, domain), addresses, started);
  return { zone, api, resolver, port: service.dnsPort };
}

/** Signs with a key of algorithm 15. */
async function importKey(api: Api, domain: string): Promise<void> {
  const { privateKey } = newKeyPair('ed25519', {});
  const text = privateKey.export({ format: 'pem', type: 'pkcs8' });
  await api.mustSend('POST', `/v2/domains/${domain}/dnssec/keys`, { private_key: text });
}

/** Resolves when the domain is in a rollover to another algorithm, whatever it was in before. */
async function beginRollover(api: Api, domain: string): Promise<void> {
  const path = `/v2/domains/${domain}`;
  const { text } = await api.mustSend('GET', `${path}/dnssec/status`);
  const { rollover, keys } = (JSON.parse(text) as { dnssec: SigningStatusJson }).dnssec;
  if (rollover?.kind === 'withdrawal') await api.mustSend('PUT', path, { dns_sec: 'enabled' });
  else if (rollover !== null) return;
  const algorithm = keys[0].algorithm === 13 ? 15 : 13;
  await api.mustSend('POST', `${path}/dnssec/rollovers`, { algorithm });
}

/** @param addresses of the nameservers of each zone */
async function startResolver(
  home: string,
  domain: string,
  ds: string,
  addresses: Readonly<Record<string, readonly string[]>>,
  started: { stop(): Promise<unknown> }[],
): Promise<ValidatingResolver> {
  const label = domain.slice(0, domain.indexOf('.'));
  const delegation = [
    `${label} NS ns.${label}`,
    `ns.${label} A 127.0.0.1`,
    `${label} ${DS_TTL_SECONDS} DS ${ds}`,
  ];
  const parent = await startParentZone(home, delegation);
  started.push(parent);
  const folder = join(home, 'r');
  mkdirSync(folder);
  const resolver = await startValidatingResolver({
    folder,
    anchorFile: parent.anchorFile,
    zones: { [REGISTRY]: parent.addresses, ...addresses },
    // Minimised names meet aliases above existing names, whose NXDOMAIN Unbound applies to what is below (RFC 8020).
    settings: ['aggressive-nsec: yes', 'harden-algo-downgrade: yes', 'qname-minimisation: no'],
  });
  started.push(resolver);
  return resolver;
}

/** The data of the DS record that the service shows. */
async function readDs(api: Api, domain: string): Promise<string> {
  const { text } = await api.mustSend('GET', `/v2/domains/${domain}/dnssec`);
  const data = / IN DS ([^"]*)/.exec(text)?.[1];
  if (data === undefined) throw new Error(`there is no DS record in ${text}`);
  return data;
}

/** Two programs verify the signatures, and the completeness of the chain, of the zone as it is now. */
async function verifyWhole(home: string, { zone, api, port }: Stage): Promise<string> {
  const lines = await collectZone(zone, port);
  const path = `/v2/domains/${zone.apex.slice(0, -1)}/zonefile?dnssec=true`;
  const differences = compareExport(lines, (await api.mustSend('GET', path)).text, zone.apex);
  if (differences.length > 0) throw new Error(`the export differs:\n${differences.join('\n')}`);
  const file = join(home, 'whole.zone');
  writeFileSync(file, `${lines.join('\n')}\n`);
  for (const [command, ...args] of [
    ['dnssec-verify', '-z', '-o', zone.apex, file],
    ['ldns-verify-zone', file],
  ]) {
    const { code, stdout, stderr } = await runProgram(command, args);
    if (code !== 0)
      throw new Error(`${command}: ${stdout}${stderr}\n${lines.toSorted().join('\n')}\n${showZone(zone)}`);
  }
  return `${lines.length} records verified by dnssec-verify and ldns-verify-zone, and exported alike`;
}
