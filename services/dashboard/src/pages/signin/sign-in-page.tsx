import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { SignInForm } from '../../shell/sign-in-form.tsx'
import { readLinkCode, toTarget } from './target.ts'

export function SignInPage() {
  const { to } = useSearch({ from: '/signin' })
  useEffect(() => {
    document.title = 'Sign in · Platen'
  }, [])
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="flex w-full max-w-sm flex-col gap-5">
        <div>
          <h1 className="text-xl font-semibold">Sign in to Platen</h1>
          <p className="text-sm text-muted">You sign in with a code. There is no password.</p>
        </div>
        <div className="panel p-5">
          {/* A new page, so that everything is loaded with the session. */}
          <SignInForm linkCode={readLinkCode()} onSignedIn={() => location.replace(toTarget(to, location.origin))} />
        </div>
      </div>
    </main>
  )
}
