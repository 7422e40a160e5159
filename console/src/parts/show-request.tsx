import { formatCurl, formatSignIn, type ShownRequest } from '../service/format-curl.ts';
import { useSession } from '../service/session.ts';
import { text } from '../text/en.ts';
import { Button } from './button.tsx';
import { TextBlock } from './text-block.tsx';
import { copyText } from './toasts.tsx';

interface ShowRequestProps {
  readonly request: ShownRequest;
  /** Lines for a shell that do the same; absent: the command line has no command for it. */
  readonly command?: string | undefined;
}

/** The request that does the same, for `curl` and the command line. The key stands in a variable. */
export function ShowRequest({ request, command }: ShowRequestProps) {
  return (
    <details className="request">
      <summary>{text.request.title}</summary>
      <div className="stack-small">
        {request.by === 'user' && <SignInCode />}
        <Code title={text.request.curl} content={formatCurl(request, location.origin)} />
        {command !== undefined && <Code title={text.request.command} content={command} />}
        {request.by === 'user' && <p className="small muted">{text.request.noCommand}</p>}
      </div>
    </details>
  );
}

function SignInCode() {
  const { email } = useSession().session.user;
  return <Code title={text.request.signIn} content={formatSignIn(email, location.origin)} />;
}

export function Code({ title, content }: { readonly title: string; readonly content: string }) {
  return (
    <div className="code stack-small">
      <div className="line apart">
        <span className="small muted">{title}</span>
        <Button kind="quiet" aria-label={`${text.copy}: ${title}`} onClick={() => void copyText(content)}>
          {text.copy}
        </Button>
      </div>
      <TextBlock label={title}>{content}</TextBlock>
    </div>
  );
}
