import { expect, test } from 'vitest';
import { mergeExpositions } from './merge-expositions.ts';

const http = `# HELP zonewright_build_info Version.
# TYPE zonewright_build_info gauge
zonewright_build_info{version="1",role="both"} 1

# HELP process_cpu_seconds_total CPU.
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total 1.5

# HELP nodejs_gc Garbage.
# TYPE nodejs_gc gauge
nodejs_gc{kind="major"} 2
`;

const nameserver = `# HELP zonewright_build_info Version.
# TYPE zonewright_build_info gauge
zonewright_build_info{version="1",role="both"} 1

# HELP process_cpu_seconds_total CPU.
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total 0.5

# HELP nodejs_gc Garbage.
# TYPE nodejs_gc gauge
nodejs_gc{kind="major"} 3

# HELP zonewright_dns_queries_total Queries.
# TYPE zonewright_dns_queries_total counter
zonewright_dns_queries_total{type="A"} 7
`;

test('metrics of both processes stand together, and each metric has one head', () => {
  expect(mergeExpositions(http, nameserver)).toBe(`# HELP zonewright_build_info Version.
# TYPE zonewright_build_info gauge
zonewright_build_info{version="1",role="both"} 1

# HELP process_cpu_seconds_total CPU.
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total 1.5
process_cpu_seconds_total{process="nameserver"} 0.5

# HELP nodejs_gc Garbage.
# TYPE nodejs_gc gauge
nodejs_gc{kind="major"} 2
nodejs_gc{kind="major",process="nameserver"} 3

# HELP zonewright_dns_queries_total Queries.
# TYPE zonewright_dns_queries_total counter
zonewright_dns_queries_total{type="A"} 7
`);
});

test('without the nameserver process, its metrics are missing and the others unchanged', () => {
  expect(mergeExpositions(http, '')).toBe(http);
});
