import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy.tsx'
import { Dialog, DialogButtons } from './dialog.tsx'

interface CurlDialogProps {
  title: string
  command: Promise<string>
  onClose(): void
}

/** Shows the request of an action as a command. */
export function CurlDialog({ title, command, onClose }: CurlDialogProps) {
  const [text, setText] = useState('')
  useEffect(() => void command.then(setText), [command])
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <p className="text-sm text-muted">
        The same request with an API key. Create one on the page Keys, and set it with{' '}
        <code className="font-mono">export PLATEN_KEY=…</code>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre className="code" tabIndex={0}>
        {text}
      </pre>
      <DialogButtons>
        <CopyButton text={text} label="Copy command" variant="primary" />
        <Button onClick={onClose}>Close</Button>
      </DialogButtons>
    </Dialog>
  )
}
