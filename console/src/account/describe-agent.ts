// The User-Agent header in words that people know. Chromium's relatives name it, and each other, so that the order counts.
const browsers: readonly (readonly [string, string])[] = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
];

const systems: readonly (readonly [string, string])[] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
];

/** Undefined: neither is known. */
export interface KnownAgent {
  readonly browser: string | undefined;
  readonly system: string | undefined;
}

export function describeAgent(agent: string): KnownAgent {
  const find = (list: typeof browsers) => list.find(([part]) => agent.includes(part))?.[1];
  return { browser: find(browsers), system: find(systems) };
}
