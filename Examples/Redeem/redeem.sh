ID=300000000001 SECRET=YOUR_SERVER_SECRET
TOKEN=$1
MSGID=$(openssl rand -hex 16)
TIME=$(TZ=Asia/Shanghai date +%Y%m%d%H%M%S%3N)
SIGN=$(printf %s "${ID}2.0${MSGID}${TIME}0${TOKEN}${SECRET}" | md5sum | cut -d' ' -f1)
curl -sS https://api.example/unisdk/rsapi/loginTokenValidate -H 'Content-Type: application/json' -d '{
  "appid": "'$ID'", "version": "2.0", "msgid": "'$MSGID'", "systemtime": "'$TIME'",
  "strictcheck": "0", "token": "'$TOKEN'", "sign": "'$SIGN'"}'
