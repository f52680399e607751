import { useMutation } from '@tanstack/react-query'
import { ApiFailure } from '../api/failure.ts'
import { sendSignedOut } from '../api/transport.ts'
import { Button, type ButtonProps } from '../ui/button.tsx'
import { FailureDialog } from '../ui/failure-dialog.tsx'

const isSignedOut = (error: unknown) => error instanceof ApiFailure && error.status === 401

async function signOut(): Promise<void> {
  await sendSignedOut((api) => api.DELETE('/account/session')).catch((error: unknown) => {
    if (!isSignedOut(error)) throw error
  })
  // A new page: nothing of the session stays in memory.
  location.assign('/app/signin')
}

export function SignOutButton({ children = 'Sign out', ...props }: Omit<ButtonProps, 'onClick'>) {
  const mutation = useMutation({ mutationFn: signOut })
  return (
    <>
      <Button {...props} onClick={() => mutation.mutate()}>
        {children}
      </Button>
      <FailureDialog title="You are still signed in" mutation={mutation} onRetry={() => mutation.mutate()} />
    </>
  )
}
