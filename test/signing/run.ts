// `npm run test:signing [-- zone … | rollovers | providers]`: other programs check what we sign, and our checker checks what BIND signs.
//
//   zones of test/comparison, random zones, every record type
//     ├─▶ our signer, algorithms 13 and 15, keys of BIND (RSA too) and Knot, NSEC and NSEC3 ─▶ dnssec-verify, ldns-verify-zone, kzonecheck
//     ├─▶ the built service, algorithms 13 and 15, NSEC and NSEC3 ─▶ …/zonefile?dnssec=true ─▶ the same programs, and dnsviz
//     └─▶ dnssec-signzone                                  ─▶ check-signed-zone
//   `rollovers`: our service at each step of a rollover ─▶ Unbound, delv, dnsviz, and the same programs
//   `providers`: the same where Knot or BIND signs the zone, too
//
// Exits with 1 if any program finds a problem, or is missing.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSignedZone } from '../../src/dnssec/check-signed-zone.test-support.ts';
import { madeAlgorithm, type ZoneKey } from '../../src/dnssec/zone-key.ts';
import { formatMissing, missingRequirements } from '../interop/requirements.ts';
import { print } from '../comparison/show.ts';
import { killEverythingStarted } from '../interop/run-program.ts';
import { signWithBind, type BindSigning } from './bind-signer.ts';
import { importBindKey } from './bind-keys.ts';
import { importKnotKey } from './knot-keys.ts';
import { checkExported, type Report } from './exported-zones.ts';
import { formatForTools } from './format-for-tools.ts';
import { newKey, signHere } from './own-signer.ts';
import { checkProviders } from './rollovers/run-providers.ts';
import { checkRollovers } from './rollovers/run-rollovers.ts';
import { validators } from './validators.ts';
import { allZones, type SigningZone } from './zones.ts';

/** They can be named among the zones. */
const journeys = { rollovers: checkRollovers, providers: checkProviders } as const;

const denials = ['nsec', 'nsec3'] as const;
const bindAlgorithms = ['ECDSAP256SHA256', 'ED25519', 'RSASHA256', 'RSASHA512'] as const;

/** A salt and further iterations, which we never use ourselves, test the checker. */
const bindVariants: readonly BindSigning[] = [
  { algorithm: 'ECDSAP256SHA256' },
  { algorithm: 'ED25519', nsec3: { salt: '-', iterations: 0 } },
  { algorithm: 'ECDSAP256SHA256', nsec3: { salt: 'C0DE', iterations: 5 } },
  { algorithm: 'RSASHA256' },
];

async function main(names: readonly string[]): Promise<number> {
  const missing = missingRequirements();
  if (missing.length > 0) {
    print(formatMissing(missing));
    return 1;
  }
  const zones = allZones().filter(({ title }) => names.length === 0 || names.includes(title));
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-signing-'));
  let checks = 0;
  let failures = 0;
  const report: Report = (title, problems) => {
    checks++;
    if (problems.length === 0) return;
    failures++;
    print([`FAILED  ${title}`, ...problems.slice(0, 10)].join('\n    '));
  };
  try {
    for (const zone of zones) {
      await checkOwn(zone, folder, report);
      await checkBind(zone, folder, report);
      print(`${zone.title}: ${zone.records.length} records`);
    }
    for (const denial of zones.length === 0 ? [] : denials)
      await checkExported(zones, denial, folder, report);
    for (const [name, check] of Object.entries(journeys))
      if (names.length === 0 || names.includes(name)) await check(folder, report);
  } finally {
    killEverythingStarted();
    rmSync(folder, { recursive: true, force: true });
  }
  print(`\n${zones.length} zones, ${checks - failures} checks ok, ${failures} failed`);
  return failures === 0 && checks > 0 ? 0 : 1;
}

/** Signs here, with keys of ours and of BIND, and checks with other programs. */
async function checkOwn(zone: SigningZone, folder: string, report: Report): Promise<void> {
  const own = Object.values(madeAlgorithm).map(newKey);
  for (const key of [...own, ...(await importBindKeys(zone, folder))]) {
    for (const denial of denials) {
      const signed = formatForTools(signHere(zone, key, denial));
      const files = { apex: zone.apex, plain: formatForTools(zone.records), signed };
      for (const validator of validators) {
        if (zone.without.includes(validator.server)) continue;
        const problems = await validator.check(files, folder);
        report(`${zone.title}, ${key.algorithm} with ${denial}: ${validator.name}`, problems);
      }
    }
  }
}

function importBindKeys({ apex }: SigningZone, folder: string): Promise<ZoneKey[]> {
  return Promise.all([
    ...bindAlgorithms.map((algorithm) => importBindKey(algorithm, apex, folder)),
    importKnotKey(apex, folder),
  ]);
}

/** Signs with BIND and checks here. */
async function checkBind(zone: SigningZone, folder: string, report: Report): Promise<void> {
  if (zone.without.includes('bind')) return;
  for (const variant of bindVariants) {
    const signed = await signWithBind(zone, variant, folder);
    const nowSeconds = Math.floor(Date.now() / 1000);
    const problems = checkSignedZone(signed, zone.apex, nowSeconds);
    report(`${zone.title}, ${variant.algorithm} signed by BIND: our checker`, problems);
  }
}

process.exitCode = await main(process.argv.slice(2));
