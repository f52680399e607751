import { Link } from '@tanstack/react-router'
import { getLastMode } from '../api/session.ts'

export function NotFoundPage() {
  return (
    <main className="mx-auto flex max-w-md flex-col gap-3 p-8">
      <h1 className="text-xl font-semibold">This page does not exist</h1>
      <p className="text-muted">The link may be incomplete.</p>
      <Link to="/$mode/jobs" params={{ mode: getLastMode() }} className="link">
        Go to the print jobs
      </Link>
    </main>
  )
}
