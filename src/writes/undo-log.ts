/** What takes back the steps of one command, so that a command that fails leaves no trace among its neighbours. */
export class UndoLog {
  private readonly steps: (() => void)[] = [];

  /** `takeBack` undoes a step that was just made. */
  add(takeBack: () => void): void {
    this.steps.push(takeBack);
  }

  forget(): void {
    this.steps.length = 0;
  }

  takeBack(): void {
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) step();
  }
}
