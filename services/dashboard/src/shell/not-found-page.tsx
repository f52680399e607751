import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { getLastMode } from '../api/session.ts'

export function NotFoundPage() {
  useEffect(() => {
    document.title = 'This page does not exist · Platen'
  }, [])
  return (
    <div className="mx-auto flex max-w-md flex-col gap-3 p-8">
      <h1 className="text-xl font-semibold">This page does not exist</h1>
      <p className="text-muted">The link may be incomplete.</p>
      <Link to="/$mode" params={{ mode: getLastMode() }} className="link">
        Go to the overview
      </Link>
    </div>
  )
}
