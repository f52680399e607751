import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiFailure } from './api/failure.ts'
import { createAppRouter } from './router.tsx'
import './style.css'

const queryClient = new QueryClient({
  queryCache: new QueryCache(),
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

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createAppRouter(queryClient)} />
    </QueryClientProvider>
  </StrictMode>,
)
