@echo off
rem The command of the agent: Node with the program of this directory.
setlocal
set /p flags=<"%~dp0v8-flags"
"%~dp0platen-agent.exe" %flags% "%~dp0platen-agent.cjs" %*
