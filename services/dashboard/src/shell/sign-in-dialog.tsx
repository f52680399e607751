import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { ApiFailure } from '../api/failure.ts'
import type { Session } from '../api/gen/schema.ts'
import { sessionQuery } from '../api/session.ts'
import { signInGate } from '../api/sign-in-gate.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { Loading } from '../ui/loading.tsx'

const SignInForm = lazy(async () => ({ default: (await import('./sign-in-form.tsx')).SignInForm }))

const cancelled = () => new ApiFailure(403, 'recent_sign_in_required', 'The action was not done: no code was entered.')

/** Opens over the page when a request needs a new sign-in. The request continues afterwards. */
export function SignInDialog() {
  const reason = useSyncExternalStore(signInGate.subscribe, signInGate.get)
  const queryClient = useQueryClient()
  if (reason === undefined) return null
  const before = queryClient.getQueryData<Session>(sessionQuery.queryKey)
  const onSignedIn = (session: Session) => {
    queryClient.setQueryData(sessionQuery.queryKey, session)
    // The page shows what the other user may see.
    if (before && session.user.id !== before.user.id) location.assign('/app')
    else signInGate.open()
  }
  const isRecent = reason === 'recent'
  return (
    <Dialog
      title={isRecent ? 'Confirm that it is you' : 'You were signed out'}
      onClose={isRecent ? () => signInGate.cancel(cancelled()) : undefined}
    >
      <p className="text-sm text-muted">
        {isRecent
          ? 'This action needs a code that was entered within the last hour.'
          : 'Your session has ended, or an owner requires a new sign-in. Sign in to continue. What you typed on this page is kept.'}
      </p>
      <Suspense fallback={<Loading />}>
        <SignInForm key={reason} email={before?.user.email} onSignedIn={onSignedIn} />
      </Suspense>
      {isRecent && (
        <DialogButtons>
          <Button onClick={() => signInGate.cancel(cancelled())}>Cancel</Button>
        </DialogButtons>
      )}
    </Dialog>
  )
}
