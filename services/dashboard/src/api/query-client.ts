import { QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './failure.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal stays one; an outage may be short.
      retry: (failures, error) =>
        !(error instanceof ApiFailure && error.status > 0 && error.status < 500) && failures < 2,
      retryDelay: (failures) => 500 * 2 ** failures,
      refetchOnWindowFocus: false,
      // Requests fail with a message instead of waiting without one.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/** The key of the session of the browser, which tabs share. */
export const SESSION_KEY = ['session']

/**
 * Loads the session again after a refusal: another tab can have signed in another user, and an owner can have changed
 * the role.
 */
export const reloadSession = () => queryClient.invalidateQueries({ queryKey: SESSION_KEY, exact: true })
