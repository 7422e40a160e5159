import { rrType } from '../../dns/codes.ts';

/*
 * Names and types to query if the names of a zone cannot be listed: those that people and products commonly use. A
 * zone's names cannot all be discovered from outside; these find most of an ordinary zone.
 */

const HOSTS = `
  www www2 web m mobile mail mail1 mail2 webmail smtp smtp1 imap pop pop3 mx mx0 mx1 mx2 mx3 relay mailgate exchange
  owa autodiscover autoconfig email newsletter lists ns ns0 ns1 ns2 ns3 ns4 dns dns1 dns2 ftp sftp ssh files upload
  download cloud nextcloud owncloud drive backup storage nas db mysql sql vpn vpn1 remote rdp gateway gw router firewall
  proxy host server server1 server2 node1 node2 cpanel whm plesk panel admin portal my login auth sso id accounts
  account api api2 app apps dev development test testing stage staging demo beta preview qa uat sandbox live prod old
  new intranet internal git gitlab ci jenkins jira confluence wiki docs help support status monitor monitoring grafana
  blog news forum shop store pay billing crm erp calendar chat meet video voip sip pbx cdn static assets img images
  media s3 analytics stats track go link links secure ssl info about jobs events lyncdiscover msoid
  enterpriseenrollment enterpriseregistration mta-sts localhost`;

const SERVICES = `
  _dmarc _mta-sts _smtp._tls _adsp._domainkey _domainkey default._bimi _acme-challenge _acme-challenge.www _dnslink
  _atproto _amazonses _domainconnect _report._domainkey _sip._tcp _sip._udp _sip._tls _sips._tcp
  _sipfederationtls._tcp _autodiscover._tcp _imap._tcp _imaps._tcp _pop3._tcp _pop3s._tcp _submission._tcp
  _submissions._tcp _smtp._tcp _caldav._tcp _caldavs._tcp _carddav._tcp _carddavs._tcp _xmpp-client._tcp
  _xmpp-server._tcp _jabber._tcp _ldap._tcp _kerberos._tcp _kerberos._udp _kpasswd._tcp _kpasswd._udp _gc._tcp
  _matrix._tcp _matrix-fed._tcp _minecraft._tcp _ts3._udp _stun._tcp _stun._udp _turn._tcp _turn._udp _h323cs._tcp
  _http._tcp _https._tcp _25._tcp _25._tcp.mail _25._tcp.mx _25._tcp.mx1 _443._tcp _443._tcp.www`;

const DKIM_SELECTORS = `
  default dkim dkim1 dkim2 mail mail1 mail2 email smtp selector selector1 selector2 google s1 s2 s1024 s2048 k1 k2 k3 key1
  key2 m1 m2 mx sig1 pm pic protonmail protonmail2 protonmail3 fm1 fm2 fm3 zoho zmail mandrill mailjet mailchimp mte1 mte2
  sendgrid smtpapi amazonses mailgun mailo mg pf2014 postmark sparkpost scph0316 krs cm hs1 hs2 ctct1 ctct2 turbo-smtp
  everlytickey1 everlytickey2 20161025 20210112 20221208 20230601 x y dk`;

/** Names relative to a zone, `@` first, without wildcards. */
export const knownNames: readonly string[] = [
  '@',
  ...words(HOSTS),
  ...words(SERVICES),
  ...words(DKIM_SELECTORS).map((selector) => `${selector}._domainkey`),
];

const hostTypes = [
  rrType.A,
  rrType.AAAA,
  rrType.CNAME,
  rrType.MX,
  rrType.TXT,
  rrType.NS,
  rrType.CAA,
  rrType.HTTPS,
  rrType.SSHFP,
];
const serviceTypes = [
  rrType.TXT,
  rrType.CNAME,
  rrType.SRV,
  rrType.TLSA,
  rrType.NS,
  rrType.URI,
  rrType.A,
  rrType.AAAA,
];
const apexTypes = [
  ...hostTypes,
  rrType.DNAME,
  rrType.LOC,
  rrType.HINFO,
  rrType.NAPTR,
  rrType.SRV,
  rrType.TLSA,
];

/** The types to query at a name relative to its zone. */
export function typesToAsk(name: string): readonly number[] {
  if (name === '@' || name === '') return apexTypes;
  return name.startsWith('_') || name.includes('._') ? serviceTypes : hostTypes;
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
