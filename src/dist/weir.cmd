@echo off
rem Starts Weir from the jars in lib beside this file.
setlocal
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java.exe"
"%JAVA%" --enable-native-access=ALL-UNNAMED -version >nul 2>&1
if errorlevel 1 (
  echo weir: JDK 17 or newer is needed: set JAVA_HOME to one 1>&2
  exit /b 1
)
set "FLAGS=--enable-native-access=ALL-UNNAMED -XX:+ExitOnOutOfMemoryError"
"%JAVA%" --sun-misc-unsafe-memory-access=allow -version >nul 2>&1
if not errorlevel 1 set "FLAGS=%FLAGS% --sun-misc-unsafe-memory-access=allow"
if "%~1"=="up" set "FLAGS=%FLAGS% -Xmx1g"
"%JAVA%" %FLAGS% "-Dweir.called=weir" %WEIR_JAVA_OPTS% -cp "%~dp0lib\*" io.weir.cli.Weir %*
exit /b %ERRORLEVEL%
