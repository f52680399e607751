import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SignInPage } from './features/sign-in/sign-in-page.tsx'
import './style.css'

const root = document.getElementById('root')
if (!root) throw new Error('signin.html has no #root')
createRoot(root).render(
  <StrictMode>
    <SignInPage />
  </StrictMode>,
)
