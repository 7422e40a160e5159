/** Requests the rows after or before a key, in the order of the list. */
export interface PageRequest {
  readonly direction: 'after' | 'before';
  /** The key to start from, exclusive; null: from the beginning of the list, or backwards from its end. */
  readonly key: string | null;
  readonly limit: number;
}

export interface Page<T> {
  /** In the order of the list, also if read backwards. */
  readonly rows: readonly T[];
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
  /** Exact length of the whole list. */
  readonly total: number;
}
