import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy.tsx'
import { Dialog, DialogButtons } from './dialog.tsx'

interface SecretDialogProps {
  title: string
  /** It lives in the memory of the page only, so Reload and Back do not show it again. */
  secret: string
  /** "Copy key" */
  copyLabel: string
  onClose(): void
  children?: ReactNode
}

/** Shows a secret once. Closing without a copy asks once. */
export function SecretDialog({ title, secret, copyLabel, onClose, children }: SecretDialogProps) {
  const [isCopied, setIsCopied] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const close = () => (isCopied || isAsking ? onClose() : setIsAsking(true))
  return (
    <Dialog title={title} onClose={close} isWide>
      <p className="text-sm">It is shown only now. Store it before you close this dialog.</p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 grow rounded-md border bg-canvas px-3 py-2 font-mono text-xs" data-secret>
          {secret}
        </code>
        <CopyButton text={secret} label={copyLabel} variant="primary" onCopied={() => setIsCopied(true)} />
      </div>
      {children}
      {isAsking && (
        <p role="alert" className="text-sm font-medium text-warn">
          You have not copied it, and it cannot be shown again. Close anyway?
        </p>
      )}
      <DialogButtons>
        <Button onClick={close}>{isAsking ? 'Close without a copy' : 'Close'}</Button>
      </DialogButtons>
    </Dialog>
  )
}
