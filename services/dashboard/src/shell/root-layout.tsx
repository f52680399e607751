import { Outlet } from '@tanstack/react-router'
import { Announcements } from '../ui/announce.tsx'
import { SignInDialog } from './sign-in-dialog.tsx'

export function RootLayout() {
  return (
    <>
      <Outlet />
      <SignInDialog />
      <Announcements />
    </>
  )
}
