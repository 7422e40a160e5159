/**
 * The kinds of offsets in the memory of zone images. All of them are plain numbers at run time; the brands make the
 * compiler reject a byte offset where a word index is expected, and an offset from the image's start where one from the
 * start of the memory is expected. 0 means none; only an image in private memory begins at 0.
 */

declare const blockOffset: unique symbol;
declare const imageStart: unique symbol;
declare const imageOffset: unique symbol;
declare const nodeIndex: unique symbol;
declare const slotIndex: unique symbol;
declare const soaIndex: unique symbol;
declare const setOffset: unique symbol;
declare const targetOffset: unique symbol;
declare const signatureIndex: unique symbol;
declare const runIndex: unique symbol;

/** Bytes from the start of the zone space to a block. */
export type BlockOffset = number & { readonly [blockOffset]: true };
/** Bytes from the start of the memory to a zone image; a multiple of 4. */
export type ImageStart = BlockOffset & { readonly [imageStart]: true };
/** Bytes from the start of an image. */
export type ImageOffset = 0 | (number & { readonly [imageOffset]: true });
/** Index into the words of the memory: a node. */
export type NodeIndex = 0 | (number & { readonly [nodeIndex]: true });
/** Index into the words of the memory: a slot of an image's hash table. */
export type SlotIndex = 0 | (number & { readonly [slotIndex]: true });
/** Index into the words of the memory: a state of the SOA record. */
export type SoaIndex = number & { readonly [soaIndex]: true };
/** Bytes from the start of the memory to an encoded record set; a multiple of 4. */
export type SetOffset = 0 | (number & { readonly [setOffset]: true });
/** Bytes from the start of the memory to a target of an encoded record set; a multiple of 4. */
export type TargetOffset = number & { readonly [targetOffset]: true };

/** Index into the words of the memory: a signature of a list. */
export type SignatureIndex = 0 | (number & { readonly [signatureIndex]: true });
/** Index into the words of the memory: what the signatures of one signing have in common. */
export type RunIndex = number & { readonly [runIndex]: true };

/** In place of an image. Code that answers queries compares with 0, because V8 folds no constants of other modules. */
export const NO_IMAGE = 0 as ImageStart;
