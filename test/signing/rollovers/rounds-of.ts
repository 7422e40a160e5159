interface Staged {
  readonly stages: readonly unknown[];
}

/** A scenario, and the stage that it enters. */
export interface Current<Scenario extends Staged> {
  readonly scenario: Scenario;
  readonly stage: Scenario['stages'][number];
}

/** Scenarios are carried out together: in each round, all that have not ended enter their next stage. */
export function roundsOf<Scenario extends Staged>(
  scenarios: readonly Scenario[],
): readonly (readonly Current<Scenario>[])[] {
  const rounds = Math.max(...scenarios.map(({ stages }) => stages.length));
  return Array.from({ length: rounds }, (_, round) =>
    scenarios
      .filter(({ stages }) => round < stages.length)
      .map((scenario) => ({ scenario, stage: scenario.stages[round] })),
  );
}
