// Joins the metrics of the two processes of a service into one text for Prometheus.

/** Identifies the service, which is one. */
const ONLY_OF_FIRST = 'zonewright_build_info';

/** In samples of metrics that both processes have, such as `process_resident_memory_bytes`. */
const PROCESS_LABEL = 'process="nameserver"';

/**
 * Appends the metrics of the nameserver process. Samples of metrics that the first text has as well get a label of the
 * process, and their lines stand beneath the metric's own, as the text format requires.
 *
 * @param nameserver may be empty
 */
export function mergeExpositions(first: string, nameserver: string): string {
  const families = readFamilies(first);
  for (const [name, { head, samples }] of readFamilies(nameserver)) {
    const known = families.get(name);
    if (known === undefined) families.set(name, { head, samples });
    else if (name !== ONLY_OF_FIRST) known.samples.push(...samples.map(addLabel));
  }
  const texts = Array.from(families.values(), ({ head, samples }) => [...head, ...samples].join('\n'));
  return `${texts.join('\n\n')}\n`;
}

interface Family {
  /** Help and type. */
  readonly head: string[];
  readonly samples: string[];
}

/** By name, in the order of the text. */
function readFamilies(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  let family: Family | undefined;
  for (const line of text.split('\n')) {
    const name = /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1];
    if (name !== undefined) {
      family = families.get(name) ?? { head: [], samples: [] };
      families.set(name, family);
      family.head.push(line);
    } else if (line !== '') family?.samples.push(line);
  }
  return families;
}

function addLabel(sample: string): string {
  const [, name = '', labels = '', value = ''] = /^([^\s{]+)(?:\{(.*)\})?( .*)$/.exec(sample) ?? [];
  return `${name}{${labels === '' ? '' : `${labels},`}${PROCESS_LABEL}}${value}`;
}
