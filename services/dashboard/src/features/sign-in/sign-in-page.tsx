import { SignInForm } from '../../shell/sign-in-form.tsx'
import { readLinkCode, readTarget } from './target.ts'

export function SignInPage() {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="flex w-full max-w-sm flex-col gap-5">
        <div>
          <h1 className="text-xl font-semibold">Sign in to Platen</h1>
          <p className="text-sm text-muted">You sign in with a code. There is no password.</p>
        </div>
        <div className="panel p-5">
          {/* A new page, so that everything is loaded with the session. */}
          <SignInForm linkCode={readLinkCode()} onSignedIn={() => location.replace(readTarget())} />
        </div>
      </div>
    </main>
  )
}
