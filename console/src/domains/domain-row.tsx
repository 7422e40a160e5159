import { Link, useLocation } from 'wouter';
import { Menu } from '../parts/menu.tsx';
import { MoreIcon } from '../parts/more-icon.tsx';
import { text } from '../text/en.ts';
import { formatDate } from '../text/format-values.ts';
import type { ListedDomain } from './use-domains.ts';

interface DomainRowProps {
  readonly domain: ListedDomain;
  /** Absent: the user may not. */
  readonly onDelete: ((domain: string) => void) | undefined;
}

export function DomainRow({
  domain: { domain, shown, date_created, dns_sec, withheld },
  onDelete,
}: DomainRowProps) {
  const [, navigate] = useLocation();
  const place = `/d/${encodeURIComponent(domain)}`;
  const open = (page: string) => ({ onChoose: () => navigate(`${place}/${page}`) });
  return (
    <>
      <div className="name">
        <Link href={`${place}/records`}>{shown}</Link>
        {shown !== domain && <span className="muted small mono">{domain}</span>}
      </div>
      <span className="line">
        {withheld?.map((reason) => (
          <span key={reason} className="tag warning">
            {text.domainList.withheld[reason]}
          </span>
        ))}
        <span className={dns_sec === 'enabled' ? 'small' : 'small muted'}>
          {dns_sec === 'enabled' ? text.domainList.signed : text.domainList.unsigned}
        </span>
      </span>
      <span className="date muted small numbers">{text.domainList.created(formatDate(date_created))}</span>
      <Menu
        label={text.domainList.actions(shown)}
        className="button quiet icon"
        groups={[
          {
            entries: [
              { label: text.domainList.open, ...open('records') },
              { label: text.domainList.nameservers, ...open('nameservers') },
              ...(onDelete
                ? [{ label: text.domainList.delete, isDanger: true, onChoose: () => onDelete(domain) }]
                : []),
            ],
          },
        ]}
      >
        <MoreIcon />
      </Menu>
    </>
  );
}
