/** Undoes the steps of one command, so that a command that is refused or fails leaves no trace in its batch. */
export class UndoLog {
  private readonly steps: (() => void)[] = [];
  private readonly isKept: boolean;

  /** @param isKept false in a batch that is discarded if its only command is refused: a zone has a million steps */
  constructor(isKept = true) {
    this.isKept = isKept;
  }

  /** Adds the function that undoes a step that was just made. */
  add(undoStep: () => void): void {
    if (this.isKept) this.steps.push(undoStep);
  }

  /** Sets an entry of a map, to be undone. */
  setEntry<K, V>(map: Map<K, V>, key: K, value: V): void {
    const before = map.get(key);
    map.set(key, value);
    this.add(() => (before === undefined ? map.delete(key) : map.set(key, before)));
  }

  /** Appends an item to a list, to be undone. */
  append<T>(list: T[], item: T): void {
    const length = list.push(item) - 1;
    this.add(() => (list.length = length));
  }

  /** The steps so far stay. */
  forget(): void {
    this.steps.length = 0;
  }

  /** Undoes all steps since the last `forget`, the last one first. */
  undo(): void {
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) step();
  }
}
