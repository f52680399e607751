import { type FormEvent, useEffect, useState } from 'react'
import type { Session } from '../api/gen/schema.ts'
import type { Installation } from '../api/session.ts'
import { sendSignedOut } from '../api/transport.ts'
import { Button } from '../ui/button.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Field } from '../ui/field.tsx'
import { takeFocus } from '../ui/take-focus.ts'

const CODE = /^([0-9A-Z]{8}|[0-9A-Z]{12})$/
/** "Send again" would be pointless earlier. */
const SEND_AGAIN_MS = 30_000

interface Sent {
  to: 'mail' | 'terminal' | 'link'
  installation?: Installation | undefined
  at: number
}

interface SignInFormProps {
  /** The address of the user who signs in again. */
  email?: string | undefined
  /** The code of a link. This browser has requested it for some address. */
  linkCode?: string | undefined
  onSignedIn(session: Session): void
}

/** An address, then the code that was sent to it. */
export function SignInForm({ email: known, linkCode, onSignedIn }: SignInFormProps) {
  const [email, setEmail] = useState(known ?? '')
  const [sent, setSent] = useState<Sent | undefined>(linkCode === undefined ? undefined : { to: 'link', at: 0 })
  const [error, setError] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)

  const requestCode = async () => {
    setIsBusy(true)
    setError(undefined)
    try {
      const body = { email: email.trim() }
      const { sentTo, installation } = await sendSignedOut((api) => api.POST('/account/sign-in', { body }))
      setSent({ to: sentTo, installation, at: Date.now() })
    } catch (failure) {
      setError((failure as Error).message)
    } finally {
      setIsBusy(false)
    }
  }

  if (sent)
    return (
      <CodeForm
        key={sent.at}
        email={email.trim()}
        sentTo={sent.to}
        installation={sent.installation}
        initialCode={sent.to === 'link' ? linkCode : ''}
        onSignedIn={onSignedIn}
        onSendAgain={sent.to === 'link' ? undefined : requestCode}
        onChangeEmail={known === undefined ? () => setSent(undefined) : undefined}
      />
    )
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void requestCode()
      }}
    >
      <Field
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        required
        ref={takeFocus}
        readOnly={known !== undefined}
        value={email}
        error={error}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Button type="submit" variant="primary" disabled={isBusy}>
        {isBusy ? 'Sending …' : 'Send a code'}
      </Button>
    </form>
  )
}

interface CodeFormProps {
  email: string
  sentTo: Sent['to']
  installation: Installation | undefined
  initialCode?: string | undefined
  onSignedIn(session: Session): void
  onSendAgain?: (() => void) | undefined
  onChangeEmail?: (() => void) | undefined
}

function CodeForm({
  email,
  sentTo,
  installation,
  initialCode = '',
  onSignedIn,
  onSendAgain,
  onChangeEmail,
}: CodeFormProps) {
  const [code, setCode] = useState(initialCode)
  const [error, setError] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)
  const [mayRepeat, setMayRepeat] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setMayRepeat(true), SEND_AGAIN_MS)
    return () => clearTimeout(timer)
  }, [])

  const submit = async (text: string) => {
    if (isBusy) return
    setIsBusy(true)
    setError(undefined)
    try {
      const session = await sendSignedOut((api) => api.POST('/account/sign-in/code', { body: { code: text } }))
      onSignedIn(session)
    } catch (failure) {
      setError((failure as Error).message)
      setIsBusy(false)
    }
  }

  const onChange = (text: string, event: FormEvent) => {
    const entered = text.replaceAll(/[\s-]/g, '').toUpperCase()
    setCode(entered)
    const { inputType } = event.nativeEvent as InputEvent
    // Pasted or filled in by the browser. A typed code is submitted by Enter or the button.
    if (inputType !== 'insertText' && !inputType?.startsWith('delete') && CODE.test(entered)) void submit(entered)
  }

  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(code)
      }}
    >
      <div className="text-sm">
        {sentTo === 'link' ? (
          'The code of your e-mail is filled in. It works in the browser that requested it.'
        ) : sentTo === 'terminal' ? (
          <WithoutMail email={email} installation={installation} />
        ) : (
          <>
            If <strong>{email}</strong> has access, a code is on its way. It works for 10 minutes, in this browser.
          </>
        )}
      </div>
      <Field
        label="Code"
        name="code"
        className="font-mono text-lg tracking-widest"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck="false"
        required
        ref={takeFocus}
        value={code}
        error={error}
        onChange={(event) => onChange(event.target.value, event)}
      />
      <Button type="submit" variant="primary" disabled={isBusy || !CODE.test(code)}>
        {isBusy ? 'Signing in …' : 'Sign in'}
      </Button>
      <div className="flex flex-wrap gap-2">
        {onSendAgain && (
          <Button variant="quiet" disabled={!mayRepeat} onClick={onSendAgain}>
            Send again
          </Button>
        )}
        {onChangeEmail && (
          <Button variant="quiet" onClick={onChangeEmail}>
            Other address
          </Button>
        )}
      </div>
    </form>
  )
}

/** Commands that create a code for an address, where `npm start` does not print it. */
const CREATE_CODE = {
  compose: (email: string) => `docker compose run --rm operator admin users sign-in-code ${email}`,
  helm: (email: string) =>
    `kubectl exec -n platen deploy/platen-operator -- platen-server admin users sign-in-code ${email}`,
  other: (email: string) => `platen-server admin users sign-in-code ${email}`,
}

/** Without a mail server: where the code is, or how an operator creates one. */
function WithoutMail({ email, installation }: { email: string; installation: Installation | undefined }) {
  if (installation === 'npm-start')
    return (
      <>
        If <strong>{email}</strong> has access, its code is in the terminal of <code>npm start</code>. It works for 10
        minutes, in this browser.
      </>
    )
  return (
    <div className="flex flex-col gap-3">
      <p>
        This installation sends no e-mail. The operator creates a code for <strong>{email}</strong>, which works once in
        any browser:
      </p>
      <CodeBlock label="Command of the operator" code={CREATE_CODE[installation ?? 'other'](email)} />
    </div>
  )
}
