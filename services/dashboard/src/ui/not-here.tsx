import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiFailure } from '../api/failure.ts'
import { useLive } from '../api/live.tsx'
import { Empty } from './empty.tsx'

export const isNotFound = (error: unknown) => error instanceof ApiFailure && error.code === 'not_found'

interface NotHereProps {
  id: string
  /** "printer" */
  what: string
  /** The list of these resources. */
  listed: Pick<LinkProps, 'to' | 'search'>
  children: ReactNode
}

/**
 * The answer to a link to a resource that this mode does not have. It can be in the other mode, or in another
 * organization of the user.
 */
export function NotHere({ id, what, listed, children }: NotHereProps) {
  const { mode, organization } = useLive()
  return (
    <Empty title={`${organization.name} has no such ${what} in ${mode} mode`}>
      <p className="mb-3">It was deleted, or the link belongs to the other mode or to another organization.</p>
      <div className="flex flex-wrap justify-center gap-2">
        <Link to="/go/$id" params={{ id }} preload={false} className="button button-primary">
          Find it
        </Link>
        <Link {...(listed as LinkProps)} params={{ mode } as never} className="button">
          {children}
        </Link>
      </div>
    </Empty>
  )
}
