/** The colour of a type's name, by family; undefined: that of text. */
export function familyOf(type: string): string | undefined {
  return families[type];
}

const families: Readonly<Record<string, string>> = {
  A: 'address',
  AAAA: 'address',
  HTTPS: 'address',
  SVCB: 'address',
  SRV: 'address',
  CNAME: 'alias',
  DNAME: 'alias',
  PTR: 'alias',
  MX: 'mail',
  SPF: 'mail',
  TXT: 'words',
  HINFO: 'words',
  RP: 'words',
  URI: 'words',
  NAPTR: 'words',
  NS: 'delegation',
  DS: 'delegation',
  CAA: 'security',
  TLSA: 'security',
  SMIMEA: 'security',
  SSHFP: 'security',
  OPENPGPKEY: 'security',
  CERT: 'security',
};
