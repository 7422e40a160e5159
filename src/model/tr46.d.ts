/** The part of tr46 6.0 that is used; the package has no types of its own. */
declare module 'tr46' {
  export interface Tr46Options {
    readonly checkHyphens?: boolean;
    readonly checkBidi?: boolean;
    readonly checkJoiners?: boolean;
    readonly useSTD3ASCIIRules?: boolean;
    readonly verifyDNSLength?: boolean;
    readonly transitionalProcessing?: boolean;
    readonly ignoreInvalidPunycode?: boolean;
  }
  /** Returns null if the name breaks a rule that is switched on. */
  export function toASCII(domainName: string, options?: Tr46Options): string | null;
  /** Leaves labels that break a rule unchanged. */
  export function toUnicode(domainName: string, options?: Tr46Options): { readonly domain: string };
}
