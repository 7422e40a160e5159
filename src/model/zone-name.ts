import { getPublicSuffix } from 'tldts';
import { malformed, parsed, type Parsed } from '../base/parsed.ts';
import { MAX_LABEL_OCTETS, MAX_NAME_OCTETS } from '../dns/name.ts';
import type { ZoneName } from './domain.ts';
import { asciiName, isPlainAscii, MAX_NAME_TEXT_CHARACTERS } from './idna.ts';
import { quoteText } from './quote-text.ts';

/**
 * The rules for domain names (contract rule 15). Parsing never asks whether a domain exists or who may have it.
 */
export interface ZoneNameRules {
  /** Whether single labels and public suffixes may be hosted too, as for a private root or a registry. */
  readonly allowPublicSuffixes: boolean;
}

/** The longest name on the wire, less the first length octet and the root label. */
const MAX_ZONE_NAME_CHARACTERS = MAX_NAME_OCTETS - 2;

/** Parses a domain name into lower-case A-labels without a trailing dot, the form that is stored and compared. */
export function parseZoneName(text: string, rules: ZoneNameRules): Parsed<ZoneName> {
  if (text.length > MAX_NAME_TEXT_CHARACTERS) return malformed(tooLong(text));
  const ascii = isPlainAscii(text) ? text.toLowerCase() : asciiName(text);
  if (ascii === undefined)
    return malformed(`Domain name ${quoteText(text)} is not a valid internationalised name`);
  const name = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
  const labels = name.split('.');
  const problem =
    findShapeProblem(name, labels) ??
    findAddressProblem(name, labels) ??
    findCharacterProblem(name, labels) ??
    (rules.allowPublicSuffixes ? undefined : findSuffixProblem(name, labels));
  return problem === undefined ? parsed(name as ZoneName) : malformed(problem);
}

function findShapeProblem(name: string, labels: readonly string[]): string | undefined {
  if (name === '') return 'Domain name is empty';
  if (labels.includes('')) return `Domain name ${quoteText(name)} has an empty label`;
  const longest = labels.find((label) => label.length > MAX_LABEL_OCTETS);
  if (longest !== undefined) {
    return `Label ${quoteText(longest)} has ${longest.length} characters, more than ${MAX_LABEL_OCTETS}`;
  }
  return name.length > MAX_ZONE_NAME_CHARACTERS ? tooLong(name) : undefined;
}

function tooLong(name: string): string {
  return `Domain name has ${name.length} characters, more than ${MAX_ZONE_NAME_CHARACTERS}`;
}

/** An IPv4 address in any spelling ends in an all-numeric label or is a hexadecimal number; no top-level domain does. */
function findAddressProblem(name: string, labels: readonly string[]): string | undefined {
  if (DOTTED_QUAD.test(name) || (name.includes(':') && IPV6_CHARACTERS.test(name))) {
    return `${quoteText(name)} is an IP address, not a domain name`;
  }
  const last = labels.at(-1) ?? '';
  if (ALL_NUMERIC.test(last)) {
    return `Domain name ${quoteText(name)} ends in the number ${quoteText(last)}, as only IP addresses do`;
  }
  return undefined;
}

function findCharacterProblem(name: string, labels: readonly string[]): string | undefined {
  const wrong = OUTSIDE_NAMES.exec(name)?.[0];
  if (wrong !== undefined) {
    return `Domain name ${quoteText(name)} holds ${quoteText(wrong)}: letters, digits, hyphens and dots are allowed`;
  }
  if (labels.slice(-2).some((label) => label.includes('_'))) {
    return `Domain name ${quoteText(name)} holds an underscore in one of its last two labels`;
  }
  const hyphened = labels.find((label) => label.startsWith('-') || label.endsWith('-'));
  if (hyphened !== undefined) {
    return `Label ${quoteText(hyphened)} of domain name ${quoteText(name)} begins or ends with a hyphen`;
  }
  return undefined;
}

function findSuffixProblem(name: string, labels: readonly string[]): string | undefined {
  if (labels.length === 1) return `Domain name ${quoteText(name)} is a single label`;
  if (getPublicSuffix(name, registriesOnly) === name) {
    return `Domain name ${quoteText(name)} is a public suffix, under which others register their domains`;
  }
  return undefined;
}

/**
 * The list's private section (`github.io`) contains ordinary domains whose owners let others use names below them; they
 * are hosted like any other domain. Names have been checked before; the checks of tldts would refuse some valid ones.
 */
const registriesOnly = {
  allowPrivateDomains: false,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
} as const;

const DOTTED_QUAD = /^\d+\.\d+\.\d+\.\d+$/;
const IPV6_CHARACTERS = /^\[?[0-9a-f:.]+\]?(?:%.*)?$/;
const ALL_NUMERIC = /^(?:\d+|0x[0-9a-f]*)$/;
const OUTSIDE_NAMES = /[^a-z0-9._-]/u;
