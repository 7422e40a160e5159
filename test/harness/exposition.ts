/*
 * A strict reader of the Prometheus text format, version 0.0.4: throws on anything that Prometheus would reject or that
 * would confuse a reader. Never imports the service's code.
 */

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** The line as received. */
  readonly text: string;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\["\\\\n])*)"';
/** Prometheus accepts `NaN` in any case, and prom-client writes `Nan`. */
const VALUE = '[+-]?(?:[0-9]+(?:\\.[0-9]+)?(?:e[+-]?[0-9]+)?|Inf)|Na[Nn]';
const HELP_LINE = new RegExp(`^# HELP (${NAME}) (\\S.*)$`);
const TYPE_LINE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary)$`);
const SAMPLE_LINE = new RegExp(`^(${NAME})(?:\\{((?:${LABEL},)*${LABEL})\\})? (${VALUE})$`);

/** @throws Error that names the wrong line */
export function readExposition(text: string): readonly Family[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no line feed');
  const families: (Family & { samples: Sample[] })[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (line === '') continue;
    if (line.startsWith('#')) families.push({ ...readHead(line, lines[++at] ?? ''), samples: [] });
    else addSample(families.at(-1), readSample(line));
  }
  checkFamilies(families);
  return families;
}

/** The value of one series; undefined if there is none. */
export function findValue(
  families: readonly Family[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const isAskedFor = (sample: Sample): boolean =>
    sample.name === name &&
    Object.keys(sample.labels).length === Object.keys(labels).length &&
    Object.entries(labels).every(([label, value]) => sample.labels[label] === value);
  return families.flatMap(({ samples }) => samples).find(isAskedFor)?.value;
}

function readHead(helpLine: string, typeLine: string): Omit<Family, 'samples'> {
  const [, name, help] = HELP_LINE.exec(helpLine) ?? fail(helpLine);
  const [, typedName, type] = TYPE_LINE.exec(typeLine) ?? fail(typeLine);
  if (name !== typedName) fail(typeLine);
  return { name: name, help: help, type: type };
}

function readSample(line: string): Sample {
  const match = SAMPLE_LINE.exec(line) ?? fail(line);
  const [, name, labelList = ''] = match;
  const labels = [...labelList.matchAll(new RegExp(LABEL, 'g'))].map(([, label, text]) => [
    label,
    text.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped)),
  ]);
  if (new Set(labels.map(([label]) => label)).size !== labels.length) fail(line);
  const value = readValue(match.at(-1) ?? fail(line));
  return { name, labels: Object.fromEntries(labels) as Record<string, string>, value, text: line };
}

function readValue(text: string): number {
  if (text === 'Nan') return NaN;
  return text.endsWith('Inf') ? Number(text.replace('Inf', 'Infinity')) : Number(text);
}

function addSample(family: (Family & { samples: Sample[] }) | undefined, sample: Sample): void {
  if (family === undefined || !sampleNames(family).includes(sample.name)) fail(sample.text);
  family.samples.push(sample);
}

function sampleNames({ name, type }: Family): readonly string[] {
  if (type === 'histogram') return [`${name}_bucket`, `${name}_sum`, `${name}_count`];
  return type === 'summary' ? [name, `${name}_sum`, `${name}_count`] : [name];
}

function checkFamilies(families: readonly Family[]): void {
  const names = families.map(({ name }) => name);
  if (new Set(names).size !== names.length) throw new Error('a metric appears twice');
  const samples = families.flatMap((family) => family.samples);
  const series = samples.map(({ name, labels }) => name + JSON.stringify(Object.entries(labels).sort()));
  if (new Set(series).size !== series.length) throw new Error('a series appears twice');
  for (const family of families) {
    if (
      (family.type === 'counter') !== family.name.endsWith('_total') &&
      family.name.startsWith('zonewright_')
    )
      throw new Error(`${family.name} is a ${family.type}: counters, and only they, end in _total`);
    if (family.type === 'histogram') checkBuckets(family);
  }
}

/** Each bucket must contain at least the one below, and the last bucket everything. */
function checkBuckets({ name, samples }: Family): void {
  let previous = { le: Infinity, value: 0 };
  for (const sample of samples) {
    const { value } = sample;
    if (sample.name === `${name}_count` && value !== previous.value) fail(sample.text);
    if (sample.name !== `${name}_bucket`) continue;
    const le = readValue(sample.labels['le'] ?? fail(sample.text));
    if (previous.le !== Infinity && (le <= previous.le || value < previous.value)) fail(sample.text);
    previous = { le, value };
  }
}

function fail(line: string): never {
  throw new Error(`not valid in the Prometheus format: ${line}`);
}
