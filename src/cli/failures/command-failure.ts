/** Ends a command with one sentence on stderr and an exit code. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: number;

  constructor(exitCode: number, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.exitCode = exitCode;
  }
}
