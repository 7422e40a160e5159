import { useRef } from 'react';
import { Button } from './button.tsx';

interface FileButtonProps {
  readonly label: string;
  readonly onFile: (file: File) => void;
}

/** Chooses a file of this machine. */
export function FileButton({ label, onFile }: FileButtonProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => chooser.current?.click()}>{label}</Button>
      <input
        ref={chooser}
        type="file"
        hidden
        onChange={(event) => {
          const file = event.target.files?.item(0);
          if (file) onFile(file);
          // The same file can be chosen again, after it has changed.
          event.target.value = '';
        }}
      />
    </>
  );
}
