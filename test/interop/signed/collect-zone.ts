// Collects a whole signed zone by questions alone, since nobody may transfer it: every set with its signatures, and the
// records of denial from answers to questions about names that do not exist, until their chain is closed.

import { runProgram } from '../run-program.ts';
import { pathTo, type ModelZone } from './model-zone.ts';
import { uncoveredNames } from './uncovered-names.ts';

/** Questions of one run of dig. */
const QUESTIONS_AT_ONCE = 40;
/** Each round asks for names in the gaps of the chain; each answer shows one record of it or more. */
const MAX_ROUNDS = 40;

const apexTypes = ['SOA', 'NS', 'DNSKEY', 'CDS', 'CDNSKEY', 'NSEC3PARAM'] as const;

/**
 * Throws if the chain of the records of denial cannot be closed.
 *
 * @returns the lines of a zone file
 */
export async function collectZone(zone: ModelZone, port: number): Promise<readonly string[]> {
  const lines = new Set<string>();
  const sets = [...apexTypes.map((type) => `${zone.apex} ${type}`), ...authoritativeSets(zone)];
  for (const line of await ask(port, sets, 'answer')) lines.add(line);
  const owners = [...new Set(sets.map((set) => set.split(' ')[0]))];
  const denial = /^\S+ \d+ IN (RRSIG )?NSEC /;
  for (const line of await ask(
    port,
    owners.map((owner) => `${owner} NSEC`),
    'answer',
  ))
    if (denial.test(line)) lines.add(line);
  // A type that nobody has, and a name below each name: the name's own record of denial, also of an empty non-terminal.
  const names = new Set(owners.flatMap((owner) => [owner, ...pathTo(zone.apex, owner)]));
  await takeDenials(
    lines,
    port,
    [...names].flatMap((owner) => [`${owner} DS`, `${owner} TYPE65000`, `x.${owner} A`]),
  );
  for (let round = 0; round < MAX_ROUNDS && openEnds(lines).length > 0; round++) {
    const asked = namesInGaps(lines, zone.apex).map((name) => `${name} A`);
    if (asked.length === 0) break;
    await takeDenials(lines, port, asked);
  }
  const open = openEnds(lines);
  if (open.length > 0) throw new Error(`the chain of the records of denial is open at ${open.join(', ')}`);
  return [...lines];
}

/** Names whose denial shows records that are not known yet. */
function namesInGaps(lines: ReadonlySet<string>, apex: string): string[] {
  const links = chainOf(lines);
  if (links[0]?.type === 'NSEC3')
    return uncoveredNames(
      links.map(({ owner, next }) => ({ hash: firstLabel(owner), next: firstLabel(next) })),
      apex,
      QUESTIONS_AT_ONCE,
    );
  // The name right behind an owner. The record of the apex is an answer to a question for it.
  return openEnds(lines)
    .filter((owner) => owner !== apex)
    .map((owner) => owner.replace('.', '-.'));
}

/** `owner type` of the sets that the zone is authoritative for, and of delegations. */
function authoritativeSets({ apex, records }: ModelZone): string[] {
  const isCut = (name: string): boolean =>
    name !== apex && records.some(({ owner, type }) => owner === name && type === 'NS');
  const hasDname = (name: string): boolean =>
    records.some(({ owner, type }) => owner === name && type === 'DNAME');
  const visible = records.filter(({ owner, type }) => {
    if (owner === apex) return true;
    const above = [apex, ...pathTo(apex, owner)].slice(0, -1);
    if (above.some((name) => isCut(name) || hasDname(name))) return false;
    return !isCut(owner) || type === 'DS' || type === 'NS';
  });
  return [...new Set(visible.map(({ owner, type }) => `${owner} ${type}`))];
}

async function takeDenials(lines: Set<string>, port: number, questions: readonly string[]): Promise<void> {
  const wanted = /^\S+ \d+ IN (NSEC3?|RRSIG NSEC3?|NS) /;
  for (const line of await ask(port, questions, 'authority')) {
    // The NS records of delegations have no signatures; those of the apex stand in other answers.
    if (wanted.test(line)) lines.add(line);
  }
}

/** Owners of records of denial that no other one leads to, or that another one leads to and that are missing. */
function openEnds(lines: ReadonlySet<string>): string[] {
  const links = chainOf(lines);
  const owners = new Set(links.map(({ owner }) => owner));
  const nexts = new Set(links.map(({ next }) => next));
  return [
    ...[...nexts].filter((name) => !owners.has(name)),
    ...[...owners].filter((name) => !nexts.has(name)),
  ];
}

interface Link {
  readonly type: 'NSEC' | 'NSEC3';
  /** Absolute, in lower case, as the next one is. */
  readonly owner: string;
  readonly next: string;
}

function chainOf(lines: ReadonlySet<string>): Link[] {
  return [...lines].flatMap((line): Link[] => {
    const [owner = '', , , type, ...data] = line.toLowerCase().split(' ');
    if (type === 'nsec') return [{ type: 'NSEC', owner, next: data[0] ?? '' }];
    if (type !== 'nsec3') return [];
    return [{ type: 'NSEC3', owner, next: `${data[4]}${owner.slice(owner.indexOf('.'))}` }];
  });
}

function firstLabel(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

async function ask(
  port: number,
  questions: readonly string[],
  section: 'answer' | 'authority',
): Promise<string[]> {
  const usual = [
    '-r',
    '@127.0.0.1',
    '-p',
    `${port}`,
    '+norecurse',
    '+dnssec',
    '+nosplit',
    '+noall',
    `+${section}`,
  ];
  const lines: string[] = [];
  for (let i = 0; i < questions.length; i += QUESTIONS_AT_ONCE) {
    const words = questions.slice(i, i + QUESTIONS_AT_ONCE).flatMap((question) => question.split(' '));
    const { code, stdout } = await runProgram('dig', [...usual, ...words]);
    if (code !== 0) throw new Error(`dig ended with ${code}, so that the zone is not whole:\n${stdout}`);
    lines.push(...stdout.split('\n').filter((line) => line !== '' && !line.startsWith(';')));
  }
  return lines.map((line) => line.replaceAll(/\s+/g, ' '));
}
