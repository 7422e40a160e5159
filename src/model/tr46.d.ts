/** The part of tr46 6.0 that is used; the package brings no types. */
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
  /** Null when the name breaks a rule that is switched on. */
  export function toASCII(domainName: string, options?: Tr46Options): string | null;
  /** Labels that break a rule stay as they are. */
  export function toUnicode(domainName: string, options?: Tr46Options): { readonly domain: string };
}
