import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogButtons } from './dialog.tsx'
import { ErrorPanel } from './error-panel.tsx'
import { Field } from './field.tsx'

interface ConfirmProps {
  title: string
  /** On the button: "Delete computer". */
  action: string
  mutation: { mutate(): void; isPending: boolean; error: Error | null }
  onClose(): void
  /** The other button, where "Cancel" could mean the action. */
  keep?: string
  /** A name that has to be typed, for what cannot be undone. */
  typed?: string
  children: ReactNode
}

/** Asks before an action with a loss. It stays open with the reason when the action fails. */
export function Confirm({ title, action, keep = 'Cancel', mutation, onClose, typed, children }: ConfirmProps) {
  const [text, setText] = useState('')
  const { isPending, error } = mutation
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed === undefined || text === typed) mutation.mutate()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <div className="flex flex-col gap-3 text-sm">{children}</div>
        {typed !== undefined && (
          <Field
            label={`Type “${typed}” to confirm`}
            autoComplete="off"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
        {error && <ErrorPanel title={`“${action}” failed`} error={error} />}
        <DialogButtons>
          <Button onClick={onClose}>{keep}</Button>
          <Button type="submit" variant="danger" disabled={isPending || (typed !== undefined && text !== typed)}>
            {action}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
